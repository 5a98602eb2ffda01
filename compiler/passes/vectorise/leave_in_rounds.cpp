// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/leave_in_rounds.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace hel::cc {

using namespace llvm;

namespace {

using Blocks = SmallSetVector<BasicBlock *, 16>;

class RoundWriter {
public:
  RoundWriter(Function &kernel, const Loop &loop, ArrayRef<BasicBlock *> behind)
      : kernel_(kernel),
        loop_(loop),
        behind_(behind.begin(), behind.end()),
        slots_(kernel.getEntryBlock().getFirstInsertionPt()) {}

  void write() {
    part_ways_out();
    keep_values_from_behind();
    serve_those_that_pass_by();
    lead_through_rounds();
    removeUnreachableBlocks(kernel_);
    repair_values();
    DominatorTree dominators(kernel_);
    PromoteMemToReg(kept_, dominators);
  }

private:
  /// A way out of `behind`: `out` belongs to it, `on` does not.
  struct Way {
    BasicBlock *out, *on;
  };

  ConstantInt *number(unsigned way) const { return ConstantInt::get(Type::getInt32Ty(kernel_.getContext()), way); }

  void part_ways_out() {
    for (BasicBlock *from : SmallVector<BasicBlock *, 16>(behind_.begin(), behind_.end())) {
      for (BasicBlock *to : Blocks(succ_begin(from), succ_end(from))) {
        if (behind_.contains(to)) {
          continue;
        }
        BasicBlock *out = SplitEdge(from, to), *on = SplitEdge(out, to);
        ways_.push_back({out, on});
        for (PHINode &phi : make_early_inc_range(to->phis())) {
          kept_.push_back(DemotePHIToStack(&phi, slots_));
        }
        while (&on->front() != on->getTerminator()) {  // what is to be kept is stored before the ways come together
          on->front().moveBefore(out->getTerminator()->getIterator());
        }
      }
    }
    for (const Way &way : ways_) {
      behind_.insert(way.out);
    }
  }

  void keep_values_from_behind() {
    SmallVector<Instruction *, 8> used;
    for (BasicBlock *block : behind_) {
      copy_if(make_pointer_range(*block), std::back_inserter(used), [&](const Instruction *inst) {
        return any_of(inst->users(), [&](const User *user) {
          return !behind_.contains(const_cast<BasicBlock *>(cast<Instruction>(user)->getParent()));
        });
      });
    }
    keep(used);
  }

  void keep(ArrayRef<Instruction *> values) {
    for (Instruction *value : values) {
      kept_.push_back(DemoteRegToStack(*value, /*VolatileLoads=*/false, slots_));
    }
  }

  /// Lanes that come to `behind` without the loop have a copy of it, which they run before the others come to the loop.
  ///
  /// before:  before → loop → behind → on         after:  before  ───► by ─► loop …
  ///          elsewhere ──────┘                           elsewhere → copy → by ─► on
  void serve_those_that_pass_by() {
    SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> passes;
    for (BasicBlock *block : behind_) {
      for (BasicBlock *from : predecessors(block)) {
        if (!behind_.contains(from) && !loop_.contains(from)) {
          passes.emplace_back(from, block);
        }
      }
    }
    if (passes.empty()) {
      return;
    }
    ValueToValueMapTy copies;
    SmallVector<BasicBlock *, 16> made;
    for (BasicBlock *block : behind_) {
      copies[block] = made.emplace_back(CloneBasicBlock(block, copies, ".by", &kernel_));
    }
    remapInstructionsInBlocks(made, copies);
    for (BasicBlock *block : made) {
      for (PHINode &phi : make_early_inc_range(block->phis())) {
        phi.removeIncomingValueIf([&](unsigned i) { return loop_.contains(phi.getIncomingBlock(i)); });
      }
    }
    for (auto [from, to] : passes) {
      for (PHINode &phi : make_early_inc_range(to->phis())) {
        phi.removeIncomingValue(from);
      }
      from->getTerminator()->replaceSuccessorWith(to, cast<BasicBlock>(copies[to]));
    }
    lead_by_the_loop(copies);
  }

  void lead_by_the_loop(ValueToValueMapTy &copies) {
    BasicBlock *before = loop_.getLoopPreheader(), *by = SplitBlock(before, before->getTerminator());
    by->getTerminator()->eraseFromParent();
    IRBuilder<> builder(by);
    PHINode *way = builder.CreatePHI(builder.getInt32Ty(), ways_.size() + 1);
    way->addIncoming(number(0), before);
    SwitchInst *leads = builder.CreateSwitch(way, loop_.getHeader(), ways_.size());
    for (auto [i, one] : enumerate(ways_)) {
      auto *out = cast<BasicBlock>(copies[one.out]);
      out->getTerminator()->replaceSuccessorWith(one.on, by);
      way->addIncoming(number(i + 1), out);
      leads->addCase(number(i + 1), one.on);
    }
  }

  /// Every way out of `behind`, and the way back of the loop, lead through one latch, which knows the way.
  void lead_through_rounds() {
    BasicBlock *header = loop_.getHeader(), *back = SplitEdge(loop_.getLoopLatch(), header);
    BasicBlock *round = BasicBlock::Create(kernel_.getContext(), "round", &kernel_, header);
    IRBuilder<> builder(round);
    PHINode *way = builder.CreatePHI(builder.getInt32Ty(), ways_.size() + 1);
    SwitchInst *leads = builder.CreateSwitch(way, header, ways_.size());
    back->getTerminator()->replaceSuccessorWith(header, round);
    header->replacePhiUsesWith(back, round);
    way->addIncoming(number(0), back);
    for (auto [i, one] : enumerate(ways_)) {
      one.out->getTerminator()->replaceSuccessorWith(one.on, round);
      way->addIncoming(number(i + 1), one.out);
      leads->addCase(number(i + 1), one.on);
    }
  }

  /// Lets values reach uses that they do not dominate any more.
  void repair_values() {
    DominatorTree dominators(kernel_);
    SmallVector<Instruction *, 16> broken;
    copy_if(make_pointer_range(instructions(kernel_)), std::back_inserter(broken), [&](const Instruction *inst) {
      return any_of(inst->uses(), [&](const Use &use) { return !dominators.dominates(inst, use); });
    });
    keep(broken);
  }

  Function &kernel_;
  const Loop &loop_;
  Blocks behind_;
  BasicBlock::iterator slots_;
  SmallVector<Way, 4> ways_;
  SmallVector<AllocaInst *, 16> kept_;
};

}  // namespace

bool leave_in_rounds(Function &kernel, const Loop &loop, ArrayRef<BasicBlock *> behind) {
  if (loop.getLoopLatch() == nullptr || loop.getLoopPreheader() == nullptr) {
    return false;
  }
  RoundWriter(kernel, loop, behind).write();
  return true;
}

}  // namespace hel::cc
