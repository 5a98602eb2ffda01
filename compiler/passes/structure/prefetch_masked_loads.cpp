// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/prefetch_masked_loads.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hel::cc {
namespace {

constexpr uint64_t kCacheLine = 64;  ///< bytes

/// A stream: what is read under a mask that is known only at run time, somewhere else in each turn of a loop. Local
/// arrays and what is worked on again are in the cache.
bool is_stream(const llvm::Instruction &inst, const llvm::LoopInfo &loops) {
  const auto *load = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  if (load == nullptr || load->getIntrinsicID() != llvm::Intrinsic::masked_load ||
      llvm::isa<llvm::Constant>(load->getArgOperand(1))) {
    return false;
  }
  const llvm::Loop *loop = loops.getLoopFor(load->getParent());
  const llvm::Value *place = load->getArgOperand(0);
  return loop != nullptr && !loop->isLoopInvariant(place) &&
         !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(place));
}

void prefetch(llvm::Instruction &load) {
  llvm::IRBuilder<> builder(&load);
  llvm::Value *place = llvm::cast<llvm::CallBase>(load).getArgOperand(0);
  const uint64_t bytes = load.getDataLayout().getTypeStoreSize(load.getType());
  llvm::Value *read = builder.getInt32(0), *keep = builder.getInt32(3), *data = builder.getInt32(1);
  for (uint64_t offset = 0; offset < bytes; offset += kCacheLine) {
    llvm::Value *line = offset == 0 ? place : builder.CreateConstGEP1_64(builder.getInt8Ty(), place, offset);
    builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()}, {line, read, keep, data});
  }
}

}  // namespace

Result<void> prefetch_masked_loads(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.getFnAttribute("target-cpu").getValueAsString() != "x86-64-v4") {
      continue;
    }
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (is_stream(inst, loops)) {
        prefetch(inst);
      }
    }
  }
  return {};
}

}  // namespace hel::cc
