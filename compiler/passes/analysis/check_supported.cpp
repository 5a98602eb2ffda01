// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/analysis/check_supported.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/simt_ops.h"
#include "compiler/ir/thread_state.h"

#include "llvm/Demangle/Demangle.h"

namespace hel::cc {
namespace {

/// Functions of the C library that LLVM's own intrinsics become; libhelicon brings them.
bool is_c_memory_function(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name).Cases({"memcpy", "memmove", "memset", "memcmp"}, true).Default(false);
}

/// Gives an undefined function a body that reports its name and traps.
void make_trap(llvm::Function &function, llvm::StringRef what) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  llvm::Value *text = builder.CreateGlobalString(what);
  emit_engine_call(builder, "__hl_unsupported", builder.getVoidTy(), {text})->setDoesNotReturn();
  builder.CreateUnreachable();
}

/// The device library names a function of the C math library `__hl_libm_sin`; the process brings it as `sin`.
void name_as_in_c_library(llvm::Function &function, const std::string &name) {
  if (llvm::GlobalValue *known = function.getParent()->getNamedValue(name)) {
    function.replaceAllUsesWith(known);
  } else {
    function.setName(name);
  }
}

void check_undefined(llvm::Function &function, Diagnostics &diagnostics) {
  llvm::StringRef name = function.getName();
  if (name.consume_front("__hl_libm_")) {
    return name_as_in_c_library(function, name.str());
  }
  if (function.use_empty() || is_engine_function(name) || name == kSelfName || is_c_memory_function(name)) {
    return;
  }
  std::string readable = llvm::demangle(name);
  if (function.hasFnAttribute("hl.host")) {
    return make_trap(function, "the host function " + readable);
  }
  if (name == "__cxa_pure_virtual" || name == "__cxa_deleted_virtual") {
    return make_trap(function, "a pure virtual function");
  }
  for (llvm::User *user : function.users()) {
    if (auto *inst = llvm::dyn_cast<llvm::Instruction>(user)) {
      return diagnostics.error(*inst, "unresolved extern function '" + readable + "'");
    }
  }
  diagnostics.error("unresolved extern function '" + readable + "'");
}

void check_intrinsic(llvm::Function &function, Diagnostics &diagnostics) {
  for (llvm::User *user : function.users()) {
    if (auto *inst = llvm::dyn_cast<llvm::Instruction>(user)) {
      diagnostics.error(*inst, "the operation " + function.getName() + " is not supported on the CPU");
      return;
    }
  }
}

}  // namespace

Result<void> check_supported(llvm::Module &module, Compilation &compilation) {
  Diagnostics &diagnostics = compilation.diagnostics;
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (function.getName().starts_with("llvm.nvvm.")) {
      check_intrinsic(function, diagnostics);
    } else if (function.isDeclaration() && !function.isIntrinsic()) {
      check_undefined(function, diagnostics);
    }
  }
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration() && !variable.hasExternalWeakLinkage() && !variable.use_empty()) {
      diagnostics.error("unresolved extern variable '" + llvm::demangle(variable.getName()) + "'");
    }
  }
  return {};
}

}  // namespace hel::cc
