// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/align_stack.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

constexpr uint64_t kGiven = 8, kPromised = 16;

bool is_dynamic(const llvm::Instruction &inst) {
  auto *memory = llvm::dyn_cast<llvm::AllocaInst>(&inst);
  return memory && !llvm::isa<llvm::ConstantInt>(memory->getArraySize());
}

void align(llvm::AllocaInst &memory) {
  llvm::IRBuilder<> builder(&memory);
  const llvm::DataLayout &layout = memory.getDataLayout();
  uint64_t alignment = std::max(memory.getAlign().value(), kPromised);
  llvm::Value *bytes = builder.CreateMul(builder.CreateZExt(memory.getArraySize(), builder.getInt64Ty()),
                                         builder.getInt64(layout.getTypeAllocSize(memory.getAllocatedType())));
  bytes = builder.CreateAdd(bytes, builder.getInt64(alignment - kGiven));
  llvm::AllocaInst *raw = builder.CreateAlloca(builder.getInt8Ty(), memory.getAddressSpace(), bytes);
  raw->setAlignment(llvm::Align(kGiven));
  llvm::Value *address = builder.CreatePtrToInt(raw, builder.getInt64Ty());
  llvm::Value *gap = builder.CreateAnd(builder.CreateNeg(address), builder.getInt64(alignment - 1));
  llvm::Value *aligned = builder.CreatePtrAdd(raw, gap);
  aligned->takeName(&memory);
  memory.replaceAllUsesWith(aligned);
  memory.eraseFromParent();
}

}  // namespace

Result<void> align_stack(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::AllocaInst *, 4> found;
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (is_dynamic(inst)) {
        found.push_back(llvm::cast<llvm::AllocaInst>(&inst));
      }
    }
    for (llvm::AllocaInst *memory : found) {
      align(*memory);
    }
  }
  return {};
}

}  // namespace hel::cc
