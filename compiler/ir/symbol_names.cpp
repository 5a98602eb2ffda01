// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/symbol_names.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/TargetLibraryInfo.h"

namespace hel::cc {
namespace {

constexpr llvm::StringLiteral kSourceName = "hl.source_name";

bool is_process_name(llvm::StringRef name) {
  static const llvm::TargetLibraryInfoImpl library(llvm::Triple("x86_64-unknown-linux-gnu"));
  llvm::LibFunc known;
  return library.getLibFunc(name, known) || name.starts_with("__") ||
         llvm::StringSwitch<bool>(name)
             .Cases({"j0", "j1", "jn", "y0", "y1", "yn", "j0f", "j1f", "jnf", "y0f", "y1f", "ynf"}, true)
             .Cases({"lgamma", "lgammaf", "lgamma_r", "lgammaf_r", "scalbn", "scalbnf", "environ"}, true)
             .Default(false);
}

}  // namespace

void avoid_process_names(llvm::GlobalObject &definition) {
  std::string name = definition.getName().str();
  if (!is_process_name(name)) {
    return;
  }
  if (auto *function = llvm::dyn_cast<llvm::Function>(&definition)) {
    function->addFnAttr(kSourceName, name);
  } else if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&definition)) {
    variable->addAttribute(kSourceName, name);
  }
  definition.setName(name + ".device");
}

llvm::StringRef source_name(const llvm::GlobalObject &definition) {
  llvm::Attribute attribute;
  if (auto *function = llvm::dyn_cast<llvm::Function>(&definition)) {
    attribute = function->getFnAttribute(kSourceName);
  } else if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&definition)) {
    attribute = variable->getAttribute(kSourceName);
  }
  return attribute.isValid() ? attribute.getValueAsString() : definition.getName();
}

}  // namespace hel::cc
