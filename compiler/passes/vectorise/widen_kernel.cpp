// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/widen_kernel.h"

#include "compiler/ir/machine_size.h"
#include "compiler/ir/run_passes.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/interleave_locals.h"
#include "compiler/passes/vectorise/join_meetings.h"
#include "compiler/passes/vectorise/lane_loops.h"
#include "compiler/passes/vectorise/lane_numbers.h"
#include "compiler/passes/vectorise/needless_barriers.h"
#include "compiler/passes/vectorise/own_joins.h"
#include "compiler/passes/vectorise/own_locations.h"
#include "compiler/passes/vectorise/waiting_steps.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

namespace hel::cc {
namespace {

using namespace llvm;

/// A lane that reaches `unreachable` has ended (trap, assert), and leaves the kernel. One that was never to get there
/// traps.
void leave_at_unreachable(Function &kernel) {
  BasicBlock *leave = nullptr;
  for (BasicBlock &block : kernel) {
    auto *end = dyn_cast<UnreachableInst>(block.getTerminator());
    if (end == nullptr) {
      continue;
    }
    if (leave == nullptr) {
      leave = BasicBlock::Create(kernel.getContext(), "leave", &kernel);
      ReturnInst::Create(kernel.getContext(), leave);
    }
    auto *last = dyn_cast_or_null<CallBase>(end->getPrevNode());
    if (last == nullptr || !last->doesNotReturn()) {
      IRBuilder<> builder(end);
      builder.CreateCall(kernel.getParent()->getOrInsertFunction("__hl_trap", builder.getVoidTy()));
    }
    BranchInst::Create(leave, end->getIterator());
    end->eraseFromParent();
  }
}

/// Reducible, no switch, one return, simplified loops with an unconditional latch, LCSSA.
void normalise(Function &kernel) {
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LoopSimplifyPass());
  run_llvm_passes(kernel, passes);
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    BasicBlock *latch = loop->getLoopLatch();
    if (latch != nullptr && latch->getTerminator()->getNumSuccessors() > 1) {
      SplitEdge(latch, loop->getHeader(), &dominators, &loops);
    }
  }
  for (Loop *loop : loops) {
    formLCSSARecursively(*loop, dominators, &loops, nullptr);
  }
}

/// A thread that ends in the kernel itself returns from it.
void return_at_exits(Function &kernel) {
  SmallVector<Instruction *, 4> exits;
  for (Instruction &inst : instructions(kernel)) {
    if (const auto *call = dyn_cast<CallBase>(&inst);
        call != nullptr && call->getIntrinsicID() == Intrinsic::nvvm_exit) {
      exits.push_back(&inst);
    }
  }
  for (Instruction *exit : exits) {
    BasicBlock *block = exit->getParent();
    SplitBlock(block, exit);
    ReplaceInstWithInst(block->getTerminator(), ReturnInst::Create(kernel.getContext()));
  }
  if (!exits.empty()) {
    removeUnreachableBlocks(kernel);
  }
}

void prepare(Function &kernel) {
  return_at_exits(kernel);
  leave_at_unreachable(kernel);
  FunctionPassManager passes;
  ScalarizerPassOptions scalarize;
  scalarize.ScalarizeLoadStore = true;
  passes.addPass(ScalarizerPass(scalarize));
  passes.addPass(LowerSwitchPass());
  run_llvm_passes(kernel, passes);
  interleave_locals(kernel);
  give_own_joins(kernel);
  normalise(kernel);
}

// What the code generator may spend, in machine instructions (some 20'000 take a second): on all bodies of a kernel
// together, on one if there is only one, and on those of all kernels of a module, of which each has one body for the
// blocks that it is most likely run by and one for all others that it asks for.
constexpr uint64_t kMostForBodies = 80'000;
constexpr uint64_t kMostForOneBody = 150'000;
constexpr uint64_t kMostForModule = 240'000;

class KernelForms {
public:
  KernelForms(Function &kernel, double share)
      : kernel_(kernel), share_of_module_(static_cast<uint64_t>(share * kMostForModule)) {}

  /// Warp functions of all lanes on the sides of a branch are joined as a last resort: it may be a branch at which all
  /// lanes go the same way.
  Widened write() {
    Widened made = write_for_some_blocks();
    if (!made.refusal.empty() && !made.too_large) {
      joined_ = Joined::OfAnyLanes;
      if (Widened joined = write_for_some_blocks(); joined.refusal.empty()) {
        return joined;
      }
    }
    return made;
  }

private:
  enum class Blocks { Any, InRows, OfWholeWarps };

  /// Where the lanes of a warp go different ways only if they are of several rows, there are bodies for one row, or for
  /// rows of whole warps, alone; where they do only in blocks with a warp that lacks lanes, for whole warps alone.
  Widened write_for_some_blocks() {
    Widened any = write(Blocks::Any);
    if (any.refusal.empty() || any.too_large) {
      return any;
    }
    Widened in_rows = write(Blocks::InRows);
    if (!in_rows.refusal.empty() && !in_rows.too_large && relies_on_whole_rows(kernel_)) {
      in_rows = write(Blocks::OfWholeWarps);
    }
    in_rows.rows_refusal = any.refusal;
    return in_rows;
  }

  Widened write(Blocks blocks) {
    const bool any_block = blocks == Blocks::Any, whole_warps = blocks == Blocks::OfWholeWarps;
    ValueToValueMapTy values;
    Function *scalar = CloneFunction(&kernel_, values);
    scalar->setLinkage(GlobalValue::InternalLinkage);
    scalar->setName(kernel_.getName() + ".scalar");
    prepare(*scalar);
    Widened result;
    const LaneLayout layout = any_block ? LaneLayout::General : LaneLayout::RowsOf32;
    if (join_meetings(*scalar, layout, joined_)) {
      normalise(*scalar);
    } else if (joined_ == Joined::OfAnyLanes) {
      result.refusal = "there is nothing to join";
      scalar->eraseFromParent();
      return result;
    }
    const auto steps = take_out_waiting_steps(*scalar, layout, [&] { normalise(*scalar); }, result.refusal);
    const auto lane_loops = take_out_lane_loops(*scalar);
    // The body for any block shape tells what the others would cost: large kernels do with fewer, or with it alone; or
    // without it, where blocks have one row.
    Bodies bodies;
    const bool several_rows = reads_rows(*scalar);
    one_row_ = !any_block && !several_rows;
    guarded_twice_ = little_code_ = false;
    bodies.general = body(*scalar, layout, whole_warps, "general", result);
    const uint64_t cost = bodies.general == nullptr ? 1 : machine_instructions(*bodies.general),
                   affordable = std::min(kMostForBodies / cost, std::max<uint64_t>(share_of_module_ / cost, 2));
    if (cost > kMostForOneBody) {
      result.refusal = "the kernel is too large";
      result.too_large = true;
    }
    one_row_ = bodies.one_row = !several_rows;
    guarded_twice_ = affordable >= (several_rows ? 8 : 4);
    little_code_ = std::min(kMostForBodies, share_of_module_) / cost < 2;
    if ((!any_block || (!several_rows && affordable < 3)) && result.refusal.empty()) {
      std::exchange(bodies.general, nullptr)->eraseFromParent();
      written_.clear();
    }
    bodies.some = bodies.general != nullptr && several_rows && affordable < 2
                      ? bodies.general
                      : body(*scalar, LaneLayout::RowsOf32, whole_warps, "rows", result);
    bodies.full =
        affordable < 3 || whole_warps ? bodies.some : body(*scalar, LaneLayout::RowsOf32, true, "rows.full", result);
    // Warps that meet run one body: which barriers are needless is found out for each (needless_barriers.h).
    bool may_meet = any_of(instructions(*scalar), [](const Instruction &inst) {
      const auto *call = dyn_cast<CallBase>(&inst);
      return call != nullptr && call->isConvergent();
    });
    bodies.full_in_any_row =
        bodies.one_row && bodies.full != bodies.some && !may_meet && !relies_on_whole_rows(*scalar);
    move_before(bodies.some, bodies.general);
    move_before(bodies.full, bodies.some);
    result.bodies_left_out = affordable < (several_rows ? 5 : 3);
    if (any_block && several_rows && affordable >= 5) {
      for (LaneLayout layout : {LaneLayout::RowsOf16, LaneLayout::RowsOf8}) {
        unsigned width = short_row(layout);
        bodies.short_rows.push_back({width, body(*scalar, layout, true, width == 16 ? "rows.16" : "rows.8", result)});
      }
    }
    if (result.refusal.empty()) {
      if (!several_rows || !bodies.short_rows.empty()) {
        save_effort(bodies, several_rows);
      }
      result.block = write_block_function(kernel_, bodies);
      result.one_row = bodies.general == nullptr;
      result.whole_rows = result.one_row && several_rows;
      result.whole_warps = whole_warps;
    } else {
      for (Function *written : written_) {
        written->eraseFromParent();
      }
      written_.clear();
    }
    scalar->eraseFromParent();
    if (result.block == nullptr) {
      for (Function *step : steps) {
        step->eraseFromParent();
      }
    }
    for (Function *loop : lane_loops) {
      loop->eraseFromParent();
    }
    return result;
  }

  /// In the module the bodies for the most usual blocks come first.
  static void move_before(Function *body, Function *next) {
    if (body != nullptr && next != nullptr && body != next) {
      body->removeFromParent();
      next->getParent()->getFunctionList().insert(next->getIterator(), body);
    }
  }

  /// Where every usual shape of blocks has a form of its own, the others are made in little code: loops that are
  /// unrolled, or written once for each way that a condition goes, would take as long to compile as the usual forms.
  /// They stay functions, so that what calls them, in up to three places, is not compiled with them.
  static void save_effort(const Bodies &bodies, bool several_rows) {
    for (Function *seldom : {bodies.general, several_rows ? bodies.some : nullptr}) {
      if (seldom != nullptr) {
        seldom->addFnAttr(Attribute::OptimizeForSize);
        seldom->addFnAttr(Attribute::NoInline);
        keep_lane_loops(*seldom);
      }
    }
  }

  /// Loops over all lanes take these from memory: from vectors, as LLVM would, is faster, but is code for each lane.
  static void keep_lane_loops(Function &body) {
    LLVMContext &context = body.getContext();
    Metadata *no[] = {MDString::get(context, "llvm.loop.vectorize.enable"),
                      ConstantAsMetadata::get(ConstantInt::getFalse(context))};
    for (BasicBlock &block : body) {
      if (MDNode *loop = block.getTerminator()->getMetadata(LLVMContext::MD_loop)) {
        block.getTerminator()->setMetadata(
            LLVMContext::MD_loop, makePostTransformationMetadata(context, loop, {}, {MDNode::get(context, no)}));
      }
    }
  }

  /// A kernel that does not ask for them is seldom run by blocks of several rows.
  static bool reads_rows(Function &kernel) {
    return any_of(instructions(kernel), [](Instruction &inst) {
      auto *call = dyn_cast<IntrinsicInst>(&inst);
      return call != nullptr && (call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_y ||
                                 call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_z);
    });
  }

  Function *body(Function &scalar, LaneLayout layout, bool full, const char *suffix, Widened &result) {
    if (!result.refusal.empty()) {
      return nullptr;
    }
    Function *made = Function::Create(body_type(kernel_.getContext()), GlobalValue::InternalLinkage,
                                      kernel_.getName() + "." + suffix, kernel_.getParent());
    written_.push_back(made);
    describe_states(*made);
    Widener widener(scalar, *made, layout, full);
    if (guarded_twice_) {
      widener.write_guarded_twice();
    }
    if (little_code_) {
      widener.write_little_code();
    }
    if (one_row_ && layout == LaneLayout::RowsOf32) {
      made->addFnAttr(kOneRow);
      widener.assume_one_row();
    }
    if (!widener.run()) {
      result.refusal = widener.refusal();
      return nullptr;
    }
    result.uses_barrier |= widener.uses_barrier();
    inline_lane_loops(*made);
    own_locations(*made, kernel_.getSubprogram());
    return made;
  }

  Function &kernel_;
  const uint64_t share_of_module_;  ///< of kMostForModule
  std::vector<Function *> written_;
  Joined joined_ = Joined::OfSomeLanes;
  bool guarded_twice_ = false;  ///< the kernel is small enough
  bool little_code_ = false;    ///< the kernel is large
  bool one_row_ = false;        ///< what is written for rows of whole warps is for blocks of one row
};

}  // namespace

Widened widen_kernel(Function &kernel, double share) { return KernelForms(kernel, share).write(); }

}  // namespace hel::cc
