// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/device_symbols.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace hel::cc {
namespace {

constexpr unsigned kSharedSpace = 3;

/// Whether another object of the user's must define the symbol. Functions with C names may be the device library's, and
/// the engine's all begin with __hl_; extern __shared__ arrays are defined by the launch.
bool is_from_another_object(const llvm::GlobalValue &value) {
  llvm::StringRef name = value.getName();
  if (value.use_empty() || name.starts_with("llvm.") || name.starts_with("__hl_")) {
    return false;
  }
  if (const auto *function = llvm::dyn_cast<llvm::Function>(&value)) {
    bool is_allocation = name.starts_with("_Zn") || name.starts_with("_Zd");
    return name.starts_with("_Z") && !is_allocation && !function->hasFnAttribute("hl.host");
  }
  return value.getAddressSpace() != kSharedSpace;
}

}  // namespace

DeviceSymbols device_symbols(const llvm::Module &module) {
  DeviceSymbols symbols;
  for (const llvm::GlobalValue &value : module.global_values()) {
    if (value.isDeclaration()) {
      if (is_from_another_object(value)) {
        symbols.undefined.push_back(value.getName().str());
      }
    } else if (!value.hasLocalLinkage() && !value.hasAvailableExternallyLinkage() && !value.getName().starts_with("llvm.")) {
      symbols.defined.push_back({value.getName().str(), value.isWeakForLinker()});
    }
  }
  return symbols;
}

}  // namespace hel::cc
