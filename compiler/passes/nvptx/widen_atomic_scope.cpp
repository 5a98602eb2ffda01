// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/widen_atomic_scope.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/CodeGen/AtomicExpandUtils.h"

namespace hel::cc {
namespace {

/// "add.u32": operation and type of an instruction that PTX has, or empty.
std::string operation(const llvm::AtomicRMWInst &inst) {
  using Op = llvm::AtomicRMWInst;
  llvm::Type *type = inst.getValOperand()->getType();
  unsigned bits = type->getPrimitiveSizeInBits();
  if (bits != 32 && bits != 64) {
    return "";
  }
  auto with = [&](const char *name, const char *kind) { return format("%s.%s%u", name, kind, bits); };
  if (type->isFloatTy() || type->isDoubleTy()) {
    return inst.getOperation() == Op::FAdd ? with("add", "f") : inst.getOperation() == Op::Xchg ? with("exch", "b") : "";
  }
  if (!type->isIntegerTy()) {
    return "";
  }
  switch (inst.getOperation()) {
  case Op::Add: return with("add", "u");
  case Op::Sub: return with("sub", "u");  // written as the addition of the negative
  case Op::Xchg: return with("exch", "b");
  case Op::And: return with("and", "b");
  case Op::Or: return with("or", "b");
  case Op::Xor: return with("xor", "b");
  case Op::Max: return with("max", "s");
  case Op::Min: return with("min", "s");
  case Op::UMax: return with("max", "u");
  case Op::UMin: return with("min", "u");
  case Op::UIncWrap: return bits == 32 ? "inc.u32" : "";
  case Op::UDecWrap: return bits == 32 ? "dec.u32" : "";
  default: return "";
  }
}

const char *space_suffix(unsigned space) { return space == kGlobal ? ".global" : space == kShared ? ".shared" : ""; }

void write_as_ptx(llvm::AtomicRMWInst &inst, std::string text) {
  llvm::IRBuilder<> builder(&inst);
  llvm::Value *value = inst.getValOperand();
  llvm::Type *type = value->getType();
  if (inst.getOperation() == llvm::AtomicRMWInst::Sub) {
    text.replace(0, 3, "add");
    value = builder.CreateNeg(value);
  }
  bool wide = type->getPrimitiveSizeInBits() == 64;
  const char *letter = type->isFloatingPointTy() ? (wide ? "d" : "f") : (wide ? "l" : "r");
  llvm::Value *pointer = inst.getPointerOperand();
  unsigned space = inst.getPointerAddressSpace();
  std::string code = format("atom.relaxed.sys%s.%s $0, [$1], $2;", space_suffix(space), text.c_str());
  std::string constraints = format("=%s,l,%s,~{memory}", letter, letter);
  auto *signature = llvm::FunctionType::get(type, {pointer->getType(), type}, false);
  auto *assembly = llvm::InlineAsm::get(signature, code, constraints, /*hasSideEffects=*/true);
  llvm::CallInst *call = builder.CreateCall(assembly, {pointer, value});
  inst.replaceAllUsesWith(call);
  inst.eraseFromParent();
}

std::vector<llvm::AtomicRMWInst *> system_atomics(llvm::Module &module) {
  std::vector<llvm::AtomicRMWInst *> found;
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst);
      if (atomic && atomic->getSyncScopeID() == llvm::SyncScope::System) {
        found.push_back(atomic);
      }
    }
  }
  return found;
}

}  // namespace

Result<void> widen_atomic_scope(llvm::Module &module, Compilation &) {
  for (llvm::AtomicRMWInst *atomic : system_atomics(module)) {
    std::string text = operation(*atomic);
    if (!text.empty()) {
      write_as_ptx(*atomic, std::move(text));
    } else if (atomic->getValOperand()->getType()->getPrimitiveSizeInBits() >= 16) {
      // Compare and exchange keeps its scope.
      llvm::expandAtomicRMWToCmpXchg(atomic, [](llvm::IRBuilderBase &builder, llvm::Value *address, llvm::Value *loaded,
                                                llvm::Value *wanted, llvm::Align align, llvm::AtomicOrdering order,
                                                llvm::SyncScope::ID scope, llvm::Value *&success, llvm::Value *&value,
                                                llvm::Instruction *) {
        llvm::Type *type = loaded->getType();
        bool casts = type->isFloatingPointTy();
        llvm::Type *word = casts ? builder.getIntNTy(type->getPrimitiveSizeInBits()) : type;
        auto as_word = [&](llvm::Value *v) { return casts ? builder.CreateBitCast(v, word) : v; };
        llvm::Value *pair = builder.CreateAtomicCmpXchg(address, as_word(loaded), as_word(wanted), align, order,
                                                        llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
        success = builder.CreateExtractValue(pair, 1);
        value = builder.CreateExtractValue(pair, 0);
        value = casts ? builder.CreateBitCast(value, type) : value;
      });
    }
  }
  return {};
}

}  // namespace hel::cc
