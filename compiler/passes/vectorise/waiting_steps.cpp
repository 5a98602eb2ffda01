// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/waiting_steps.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/named_calls.h"
#include "compiler/passes/vectorise/callees.h"
#include "compiler/passes/vectorise/leave_in_rounds.h"
#include "compiler/passes/vectorise/linear_order.h"
#include "compiler/passes/vectorise/meetings.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hel::cc {

using namespace llvm;

namespace {

using Blocks = SetVector<BasicBlock *>;

bool yields(const Instruction &inst) { return is_call_of(&inst, "__hl_yield"); }

/// A place at which a step ends, to be gone on with after the other lanes. A lane that sleeps lets others run too, and
/// may sleep as short as it likes.
bool ends_step(const Instruction &inst) {
  const auto *call = dyn_cast<CallBase>(&inst);
  return yields(inst) || (call != nullptr && call->getIntrinsicID() == Intrinsic::nvvm_nanosleep);
}

/// A lane does nothing in this block that others could wait for: it stands still, or leaves the kernel.
bool stops(const BasicBlock &block) {
  const Instruction &first = *block.getFirstNonPHIOrDbg();
  return stands_still(first) || isa<ReturnInst>(first);
}

/// Lets lanes stand still, and return, only where a block begins.
void split_at_stops(Function &kernel) {
  for (BasicBlock &block : make_early_inc_range(kernel)) {
    auto stop = find_if(block, [](const Instruction &inst) { return stands_still(inst) || isa<ReturnInst>(inst); });
    if (stop != block.end() && !stops(block)) {
      block.splitBasicBlock(stop);
    }
  }
}

struct Analyses {
  Analyses(Function &kernel, LaneLayout layout)
      : dominators(kernel),
        loops(dominators),
        shapes(kernel, layout, /*whole_rows=*/false),
        order(kernel, loops, shapes),
        meetings(kernel, order, loops, shapes) {}

  DominatorTree dominators;
  LoopInfo loops;
  ShapeAnalysis shapes;
  LinearOrder order;
  Meetings meetings;
};

/// What a lane does from `entry` on; the blocks are dominated by it.
struct Region {
  BasicBlock *entry = nullptr;
  bool from_branch = false;  ///< all lanes come to the branch at the end of `entry` before one waits
  Blocks blocks;
};

class RegionFinder {
public:
  RegionFinder(Function &kernel, LaneLayout layout) : now_(kernel, layout) {}

  /// The first place at which lanes may wait for others of their warp; null if there is none.
  BasicBlock *waiting_block() const {
    auto waits = [&](const BasicBlock *block) {
      return any_of(*block, yields) && now_.loops.getLoopFor(block) != nullptr &&
             now_.meetings.may_wait_within_warp(*block);
    };
    auto found = find_if(now_.order.blocks(), waits);
    return found == now_.order.blocks().end() ? nullptr : *found;
  }

  /// The region around that place; without an entry if there is none, or if threads meet in it in other ways.
  Region find() {
    BasicBlock *waiting = waiting_block();
    return waiting == nullptr ? Region() : region_around(*waiting, *now_.loops.getLoopFor(waiting));
  }

  /// Lets lanes do what they have still to do in the round in which they leave a loop around that place, where that can
  /// be seen. False if there is no such loop, or its lanes leave in other ways.
  bool leave_in_rounds(Function &kernel) {
    const BasicBlock *waiting = waiting_block();
    const Loop *loop = waiting == nullptr ? nullptr : now_.loops.getLoopFor(waiting);
    for (loop = loop == nullptr ? nullptr : loop->getParentLoop(); loop != nullptr; loop = loop->getParentLoop()) {
      BasicBlock *exit = loop->getUniqueExitBlock();
      if (exit == nullptr || stops(*exit)) {
        continue;
      }
      Blocks behind = blocks_until_stops(exit);
      bool is_seen = any_of(behind, [](BasicBlock *block) { return any_of(*block, can_be_seen); });
      bool waits = any_of(behind, [](BasicBlock *block) { return any_of(*block, ends_step); });
      if (is_seen && !waits && all_of(behind, [&](BasicBlock *block) { return may_run_alone(*block); })) {
        return hel::cc::leave_in_rounds(kernel, *loop, behind.getArrayRef());
      }
    }
    return false;
  }

private:
  Region region_around(const BasicBlock &waiting, const Loop &loop) {
    Blocks needed(loop.block_begin(), loop.block_end());
    needed.insert_range(seen_from(now_.meetings.lanes_elsewhere(waiting)));
    Region region;
    region.entry = common_dominator(loop.getHeader(), needed);
    for (BasicBlock *last = nullptr; last != region.entry;) {
      last = region.entry;
      region.blocks = blocks_from(region.entry);
      region.entry = common_dominator(region.entry, region.blocks);
    }
    region.from_branch = !needed.contains(region.entry);
    bool is_whole = all_of(
        needed, [&](BasicBlock *block) { return region.blocks.contains(block) || none_of(*block, can_be_seen); });
    is_whole &= all_of(region.blocks, [&](BasicBlock *block) {
      return block == region.entry ||
             all_of(predecessors(block), [&](BasicBlock *b) { return region.blocks.contains(b); });
    });
    bool runs_alone = is_whole && region.blocks.contains(region.entry) && all_of(region.blocks, [&](BasicBlock *block) {
                        return (block == region.entry && region.from_branch) || may_run_alone(*block);
                      });
    return runs_alone ? region : Region();
  }

  /// Those of the blocks from which lanes come to something that can be seen.
  static Blocks seen_from(const SetVector<const BasicBlock *> &blocks) {
    Blocks kept;
    for (const BasicBlock *block : blocks) {
      if (!stops(*block) && any_of(*block, can_be_seen)) {
        kept.insert(const_cast<BasicBlock *>(block));
      }
    }
    for (size_t i = 0; i < kept.size(); i++) {
      for (BasicBlock *before : predecessors(kept[i])) {
        if (blocks.contains(before) && !stops(*before)) {
          kept.insert(before);
        }
      }
    }
    return kept;
  }

  BasicBlock *common_dominator(BasicBlock *first, const Blocks &blocks) const {
    for (BasicBlock *block : blocks) {
      first = now_.dominators.findNearestCommonDominator(first, block);
    }
    return first;
  }

  static Blocks blocks_until_stops(BasicBlock *entry) {
    Blocks reached;
    reached.insert(entry);
    for (size_t i = 0; i < reached.size(); i++) {
      for (BasicBlock *next : successors(reached[i])) {
        if (!stops(*next)) {
          reached.insert(next);
        }
      }
    }
    return reached;
  }

  /// Those from which something is still done that others can see, or waited for, before a barrier or the end.
  Blocks blocks_from(BasicBlock *entry) const {
    Blocks reached = blocks_until_stops(entry), kept;
    for (BasicBlock *block : reached) {
      if (any_of(*block, [](const Instruction &inst) { return ends_step(inst) || can_be_seen(inst); })) {
        kept.insert(block);
      }
    }
    for (size_t i = 0; i < kept.size(); i++) {
      for (BasicBlock *before : predecessors(kept[i])) {
        if (reached.contains(before)) {
          kept.insert(before);
        }
      }
    }
    return kept;
  }

  bool may_run_alone(BasicBlock &block) {
    return none_of(block, [&](Instruction &inst) {
      auto *call = dyn_cast<CallBase>(&inst);
      return isa<AllocaInst>(inst) ||
             (call != nullptr && !ends_step(inst) && callees_.kind_of(*call) == CalleeKind::MeetsOthers);
    });
  }

  Analyses now_;
  Callees callees_;
};

/// Makes a function of a region.
class StepWriter {
public:
  StepWriter(Function &kernel, Region region) : kernel_(kernel), region_(std::move(region)) {}

  /// Null if it has a form of which no function can be made.
  Function *write() {
    split_entry();
    end_at_waits();
    keep_values();
    DominatorTree dominators(kernel_);
    CodeExtractor extractor(region_.blocks.getArrayRef(), &dominators, /*AggregateArgs=*/false, nullptr, nullptr, nullptr,
                            /*AllowVarArgs=*/false, /*AllowAlloca=*/false, &kernel_.getEntryBlock());
    CodeExtractorAnalysisCache cache(kernel_);
    Function *step = extractor.extractCodeRegion(cache);
    if (step == nullptr) {
      return nullptr;
    }
    step->setName(kernel_.getName() + ".step");
    for (Attribute attribute : step->getAttributes().getFnAttrs()) {
      if (attribute.isStringAttribute() && (attribute.getKindAsString().starts_with("hl.") ||
                                            attribute.getKindAsString().starts_with("nvvm."))) {
        step->removeFnAttr(attribute.getKindAsString());  // what is said of a kernel
      }
    }
    step->addFnAttr(Attribute::NoInline);
    step->addFnAttr(Attribute::NoUnwind);
    step->setLinkage(GlobalValue::InternalLinkage);
    return step;
  }

private:
  /// before: … → entry        after: … → before → dispatch → entry, or where the last step ended
  void split_entry() {
    if (region_.from_branch) {
      region_.blocks.remove(region_.entry);
      region_.entry = SplitBlock(region_.entry, region_.entry->getTerminator());
      region_.blocks.insert(region_.entry);
    }
    SmallVector<BasicBlock *, 4> outside;
    copy_if(predecessors(region_.entry), std::back_inserter(outside),
            [&](BasicBlock *block) { return !region_.blocks.contains(block); });
    BasicBlock *before = SplitBlockPredecessors(region_.entry, outside, ".before");
    LLVMContext &context = kernel_.getContext();
    IRBuilder<> builder(&*kernel_.getEntryBlock().getFirstInsertionPt());
    where_ = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "where");
    builder.SetInsertPoint(before->getTerminator());
    builder.CreateStore(builder.getInt32(0), where_);
    BasicBlock *dispatch = BasicBlock::Create(context, "dispatch", &kernel_, region_.entry);
    before->getTerminator()->replaceSuccessorWith(region_.entry, dispatch);
    region_.entry->replacePhiUsesWith(before, dispatch);
    builder.SetInsertPoint(dispatch);
    dispatch_ = builder.CreateSwitch(builder.CreateLoad(builder.getInt32Ty(), where_), region_.entry);
    yield_ = BasicBlock::Create(context, "yield", &kernel_);
    builder.SetInsertPoint(yield_);
    builder.CreateCall(kernel_.getParent()->getOrInsertFunction("__hl_yield", builder.getVoidTy()));
    builder.CreateBr(dispatch);
  }

  void end_at_waits() {
    SmallVector<Instruction *, 4> waits;
    for (BasicBlock *block : region_.blocks) {
      for (Instruction &inst : *block) {
        if (ends_step(inst)) {
          waits.push_back(&inst);
        }
      }
    }
    for (auto [number, wait] : enumerate(waits)) {
      BasicBlock *block = wait->getParent(), *rest = block->splitBasicBlock(wait, block->getName() + ".on");
      wait->eraseFromParent();
      ConstantInt *place = ConstantInt::get(Type::getInt32Ty(kernel_.getContext()), number + 1);
      IRBuilder<> builder(block->getTerminator());
      builder.CreateStore(place, where_);
      builder.CreateBr(yield_);
      block->getTerminator()->eraseFromParent();
      dispatch_->addCase(place, rest);
      region_.blocks.insert(rest);
    }
    Blocks all;
    all.insert(dispatch_->getParent());
    all.insert(region_.blocks.begin(), region_.blocks.end());
    region_.blocks = std::move(all);
  }

  /// What one step computes and a later one uses goes through memory.
  void keep_values() {
    DominatorTree dominators(kernel_);
    SmallVector<Instruction *, 8> kept;
    for (BasicBlock *block : region_.blocks) {
      for (Instruction &inst : *block) {
        if (any_of(inst.uses(), [&](const Use &use) { return !dominators.dominates(&inst, use); })) {
          kept.push_back(&inst);
        }
      }
    }
    const BasicBlock::iterator allocas = kernel_.getEntryBlock().getFirstInsertionPt();
    for (Instruction *inst : kept) {
      DemoteRegToStack(*inst, /*VolatileLoads=*/false, allocas);
    }
  }

  Function &kernel_;
  Region region_;
  AllocaInst *where_ = nullptr;
  SwitchInst *dispatch_ = nullptr;
  BasicBlock *yield_ = nullptr;
};

void drop_lifetimes(Function &kernel) {
  for (Instruction &inst : make_early_inc_range(instructions(kernel))) {
    if (inst.isLifetimeStartOrEnd()) {
      inst.eraseFromParent();
    }
  }
}

}  // namespace

SmallVector<Function *, 2> take_out_waiting_steps(Function &kernel, LaneLayout layout, function_ref<void()> normalise,
                                                  std::string &refusal) {
  constexpr int kMost = 8;  // regions of a kernel
  SmallVector<Function *, 2> steps;
  if (none_of(instructions(kernel), yields) || RegionFinder(kernel, layout).waiting_block() == nullptr) {
    return steps;
  }
  mark_votes_of_all(kernel);
  split_at_stops(kernel);
  drop_lifetimes(kernel);
  normalise();
  for (int i = 0; i < kMost; i++) {
    RegionFinder finder(kernel, layout);
    Region region = finder.find();
    if (region.entry == nullptr) {
      if (!finder.leave_in_rounds(kernel)) {
        break;
      }
      normalise();
      continue;
    }
    Function *step = StepWriter(kernel, std::move(region)).write();
    if (step == nullptr) {
      refusal = "lanes that wait for each other in a region that cannot be taken out";
      break;
    }
    steps.push_back(step);
    normalise();
  }
  return steps;
}

}  // namespace hel::cc
