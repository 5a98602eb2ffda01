// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_inline_asm.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstring>

namespace hel::cc {
namespace {

/// The text with comments gone, white space single, and no final semicolon.
std::string normalise(llvm::StringRef text) {
  std::string plain;
  bool in_comment = false, in_line = false;
  for (size_t i = 0; i < text.size(); ++i) {
    bool slash = text[i] == '/' && i + 1 < text.size();
    if (in_comment) {
      in_comment = !(text[i] == '/' && text[i - 1] == '*');
      continue;
    }
    in_line = in_line && text[i] != '\n';
    in_line |= slash && text[i + 1] == '/';
    if (!in_line && slash && text[i + 1] == '*') {
      in_comment = true;
      ++i;
    } else if (!in_line) {
      plain += text[i] == '\t' || text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    }
  }
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(plain).split(words, ' ', -1, /*KeepEmpty=*/false);
  std::string result = llvm::join(words, " ");
  return llvm::StringRef(result).rtrim("; ").ltrim("; ").str();
}

/// A special register as its NVVM intrinsic.
llvm::Intrinsic::ID register_intrinsic(llvm::StringRef name) {
  std::string intrinsic = "llvm.nvvm.read.ptx.sreg." + name.str();
  size_t mask = intrinsic.find("lanemask_");
  if (mask != std::string::npos) {
    intrinsic[mask + strlen("lanemask")] = '.';
  }
  if (name == "WARP_SZ") {
    return llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize;
  }
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(intrinsic);
  return id == llvm::Intrinsic::not_intrinsic || llvm::Intrinsic::getBaseName(id) != intrinsic
             ? llvm::Intrinsic::not_intrinsic
             : id;
}

llvm::Value *call(llvm::IRBuilder<> &builder, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> arguments = {}) {
  return builder.CreateIntrinsic(id, {}, arguments);
}

/// mov.u32 $0, %laneid
bool lower_move(llvm::CallInst &inst, llvm::StringRef text) {
  llvm::StringRef opcode, operands;
  std::tie(opcode, operands) = text.split(' ');
  if (!opcode.consume_front("mov.") || (opcode != "u32" && opcode != "u64" && opcode != "b32" && opcode != "b64" &&
                                        opcode != "s32" && opcode != "s64")) {
    return false;
  }
  auto [target, source] = operands.split(',');
  source = source.trim();
  if (target.trim() != "$0" || (!source.consume_front("%") && source != "WARP_SZ") ||
      !inst.getType()->isIntegerTy()) {
    return false;
  }
  llvm::Intrinsic::ID id = register_intrinsic(source);
  if (id == llvm::Intrinsic::not_intrinsic) {
    return false;
  }
  llvm::IRBuilder<> builder(&inst);
  inst.replaceAllUsesWith(builder.CreateZExtOrTrunc(call(builder, id), inst.getType()));
  return true;
}

/// Instructions without a result.
bool lower_plain(llvm::CallInst &inst, llvm::StringRef text) {
  using namespace llvm::Intrinsic;
  llvm::IRBuilder<> builder(&inst);
  ID fence = llvm::StringSwitch<ID>(text)
                 .Cases({"membar.cta", "fence.sc.cta", "fence.acq_rel.cta", "fence.cta"}, nvvm_membar_cta)
                 .Cases({"membar.gl", "fence.sc.gpu", "fence.acq_rel.gpu", "fence.gpu"}, nvvm_membar_gl)
                 .Cases({"membar.sys", "fence.sc.sys", "fence.acq_rel.sys", "fence.sys"}, nvvm_membar_sys)
                 .Default(not_intrinsic);
  unsigned barrier = 0;
  llvm::StringRef rest = text;
  if (fence != not_intrinsic) {
    call(builder, fence);
  } else if ((rest.consume_front("bar.sync ") || rest.consume_front("barrier.sync ") ||
              rest.consume_front("barrier.sync.aligned ")) &&
             !rest.getAsInteger(10, barrier)) {
    call(builder, nvvm_barrier_cta_sync_all, {builder.getInt32(barrier)});
  } else if (text == "trap" || text == "brkpt") {
    call(builder, trap);
  } else if (text == "exit") {
    call(builder, nvvm_exit);
  } else if (text == "nanosleep.u32 $0" && inst.arg_size() == 1) {
    call(builder, nvvm_nanosleep, {inst.getArgOperand(0)});
  } else if (text == "bar.warp.sync $0" && inst.arg_size() == 1) {
    call(builder, nvvm_bar_warp_sync, {inst.getArgOperand(0)});
  } else {
    return false;
  }
  return true;
}

/// An empty asm keeps its operands alive and its order on any machine, once its constraints name this one's registers.
void keep_empty(llvm::CallInst &inst) {
  auto *old = llvm::cast<llvm::InlineAsm>(inst.getCalledOperand());
  std::string constraints;
  bool inside_name = false;  // of a clobber, as in ~{memory}
  for (char c : old->getConstraintString()) {
    inside_name = c == '{' || (inside_name && c != '}');
    bool integer = c == 'h' || c == 'l' || c == 'q';
    bool floating = c == 'f' || c == 'd';
    constraints += inside_name ? c : integer ? 'r' : floating ? 'x' : c;
  }
  inst.setCalledOperand(llvm::InlineAsm::get(old->getFunctionType(), "", constraints, old->hasSideEffects()));
}

}  // namespace

Result<void> lower_inline_asm(llvm::Module &module, Compilation &compilation) {
  if (!module.getModuleInlineAsm().empty()) {
    compilation.diagnostics.error("assembly at file scope is not supported in device code");
    module.setModuleInlineAsm("");
  }
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *asm_call = llvm::dyn_cast<llvm::CallInst>(&inst);
      if (!asm_call || !asm_call->isInlineAsm()) {
        continue;
      }
      std::string raw = llvm::cast<llvm::InlineAsm>(asm_call->getCalledOperand())->getAsmString().str();
      std::string text = normalise(raw);
      if (text.empty()) {
        keep_empty(*asm_call);
        continue;
      }
      bool done = asm_call->getType()->isVoidTy() ? lower_plain(*asm_call, text) : lower_move(*asm_call, text);
      if (!done) {
        compilation.diagnostics.error(*asm_call, "inline PTX is not supported here yet: \"" + text + "\"");
      }
      if (!asm_call->getType()->isVoidTy()) {
        asm_call->replaceAllUsesWith(llvm::PoisonValue::get(asm_call->getType()));
      }
      asm_call->eraseFromParent();
    }
  }
  return {};
}

}  // namespace hel::cc
