// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/align_stack.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

constexpr uint64_t kGiven = 8;

bool needs_more(const llvm::Instruction &inst) {
  auto *memory = llvm::dyn_cast<llvm::AllocaInst>(&inst);
  return memory && !llvm::isa<llvm::ConstantInt>(memory->getArraySize()) && memory->getAlign().value() > kGiven;
}

void align(llvm::AllocaInst &memory) {
  llvm::IRBuilder<> builder(&memory);
  const llvm::DataLayout &layout = memory.getDataLayout();
  uint64_t alignment = memory.getAlign().value();
  llvm::Value *bytes = builder.CreateMul(builder.CreateZExt(memory.getArraySize(), builder.getInt64Ty()),
                                         builder.getInt64(layout.getTypeAllocSize(memory.getAllocatedType())));
  bytes = builder.CreateAdd(bytes, builder.getInt64(alignment - kGiven));
  llvm::AllocaInst *raw = builder.CreateAlloca(builder.getInt8Ty(), memory.getAddressSpace(), bytes);
  raw->setAlignment(llvm::Align(kGiven));
  llvm::Value *up = builder.CreatePtrAdd(raw, builder.getInt64(alignment - 1));
  llvm::Value *aligned = builder.CreateIntrinsic(llvm::Intrinsic::ptrmask, {up->getType(), builder.getInt64Ty()},
                                                 {up, builder.getInt64(~(alignment - 1))});
  aligned->takeName(&memory);
  memory.replaceAllUsesWith(aligned);
  memory.eraseFromParent();
}

}  // namespace

Result<void> align_stack(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (needs_more(inst)) {
        align(llvm::cast<llvm::AllocaInst>(inst));
      }
    }
  }
  return {};
}

}  // namespace hel::cc
