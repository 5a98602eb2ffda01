// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which stores of a kernel may go past the caches: what only is written need not be read from memory first, and leaves
// the caches to what is read. It pays where a launch writes more than they hold, which is known at run time.
//
// A thread sees its own stores in order, past the caches or not, and so does its block, which never leaves its worker.
// Other threads are promised something only by atomics and fences, so that a kernel with any has no such store, and by
// the end of the kernel, where the engine has a store fence.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace hel::cc {

class StreamedStores {
public:
  /// Looks at a kernel of which everything is inlined.
  StreamedStores(llvm::Function &kernel, const llvm::LoopInfo &loops);

  bool contains(const llvm::Instruction *store) const { return stores_.contains(store); }
  /// What one thread writes with all of them, each done once.
  uint64_t bytes_a_thread() const { return bytes_; }
  /// The innermost loop that they stand in.
  const llvm::Loop *loop() const { return loop_; }

private:
  llvm::SmallPtrSet<const llvm::Instruction *, 8> stores_;
  uint64_t bytes_ = 0;
  const llvm::Loop *loop_ = nullptr;
};

/// What tells how often a loop runs: a number that grows from `start` by `step` until `bound`. Null if there is none.
struct LoopCounter {
  const llvm::PHINode *number = nullptr;
  llvm::Value *start = nullptr, *step = nullptr, *bound = nullptr;
};
LoopCounter counter_of(const llvm::Loop &loop);

}  // namespace hel::cc
