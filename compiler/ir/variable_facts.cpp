// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/variable_facts.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/symbol_names.h"

namespace hel::cc {
namespace {

constexpr llvm::StringLiteral kAttribute = "hl.variable";
/// clang's name for the initial contents of the managed variable x.
constexpr llvm::StringLiteral kManagedSuffix = ".managed";

}  // namespace

void mark_device_variable(llvm::GlobalVariable &variable) {
  if (variable.getName().ends_with(kManagedSuffix)) {
    return;
  }
  llvm::Module &module = *variable.getParent();
  bool managed = module.getNamedGlobal((source_name(variable) + kManagedSuffix).str()) != nullptr;
  bool constant = variable.getAddressSpace() == kConst;
  variable.addAttribute(kAttribute, managed ? "managed" : constant ? "constant" : "device");
}

bool is_device_variable(const llvm::GlobalVariable &variable) { return variable.hasAttribute(kAttribute); }

VariableFacts read_variable_facts(llvm::GlobalVariable &variable) {
  VariableFacts facts;
  llvm::StringRef kind = variable.getAttribute(kAttribute).getValueAsString();
  if (kind == "managed") {
    facts.kind = abi::VariableKind::Managed;
    facts.contents = variable.getParent()->getNamedGlobal((source_name(variable) + kManagedSuffix).str());
  } else if (kind == "constant") {
    facts.kind = abi::VariableKind::Constant;
  }
  return facts;
}

}  // namespace hel::cc
