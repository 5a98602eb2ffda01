// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/lane_loops.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/records.h"
#include "compiler/passes/vectorise/shape.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr char kLaneLoop[] = "hl.lane_loop";

// A turn costs, in cycles of 32 lanes (measured on Zen 5, AVX-512): as vectors 32 for a gather and 2 for what else is
// done; lane after lane, where the average lane does half of the turns of the longest, 5 for each instruction.
constexpr unsigned kOthersForAGather =
    10;                                ///< so many instructions are dearer lane by lane than a gather is as vectors
constexpr unsigned kLeastGathers = 2;  ///< with fewer, a lane waits for its own results rather than for memory
constexpr unsigned kDivision = 28;     ///< in other instructions

bool is_element(const Type *type) { return type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy(); }

/// Reads memory that is no thread's own, or computes; the same alone as with other lanes.
bool may_run_alone(const Instruction &inst) {
  if (!inst.getType()->isVoidTy() && !is_element(inst.getType())) {
    return false;
  }
  if (const auto *load = dyn_cast<LoadInst>(&inst)) {
    return load->isSimple() && !isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand(), 0));
  }
  if (const auto *call = dyn_cast<CallBase>(&inst)) {
    return isTriviallyVectorizable(call->getIntrinsicID()) && call->doesNotAccessMemory() && !call->isConvergent();
  }
  return !inst.mayReadOrWriteMemory() && !isa<AllocaInst>(inst);
}

/// A counter: each turn adds what is the same in all turns.
bool is_counter(const PHINode &phi, const Loop &loop) {
  const auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  return next != nullptr &&
         (next->getOpcode() == Instruction::Add || next->getOpcode() == Instruction::Sub ||
          isa<GetElementPtrInst>(next)) &&
         is_contained(next->operands(), &phi) &&
         all_of(next->operands(), [&](const Use &use) { return use.get() == &phi || loop.isLoopInvariant(use.get()); });
}

/// Where the lane reads next is known long before what it reads now has come: nothing is chased or searched.
bool is_known_ahead(const LoadInst &load, const Loop &loop) {
  SetVector<const Value *> slice;
  slice.insert(load.getPointerOperand());
  for (size_t i = 0; i < slice.size(); i++) {
    const auto *inst = dyn_cast<Instruction>(slice[i]);
    if (inst == nullptr || !loop.contains(inst)) {
      continue;
    }
    const auto *phi = dyn_cast<PHINode>(inst);
    if (phi != nullptr && phi->getParent() == loop.getHeader()) {
      if (!is_counter(*phi, loop)) {
        return false;
      }
      continue;
    }
    slice.insert(inst->value_op_begin(), inst->value_op_end());
  }
  return true;
}

bool is_gather(const LoadInst &load, const ShapeAnalysis &shapes) {
  Shape address = shapes.of(load.getPointerOperand());
  auto size = static_cast<int64_t>(load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue());
  return !address.is_uniform() && !(address.is_linear() && (address.stride == size || address.stride == 0));
}

bool pays(const Loop &loop, const ShapeAnalysis &shapes) {
  unsigned gathers = 0, others = 0;
  for (BasicBlock *block : loop.blocks()) {
    SmallPtrSet<const Instruction *, 8> members;  // of neighbouring records, which one wide access reads for all lanes
    for (const RecordAccess &access : find_record_accesses(*block, shapes)) {
      members.insert(access.members.begin(), access.members.end());
    }
    for (const Instruction &inst : *block) {
      const auto *load = dyn_cast<LoadInst>(&inst);
      if (load != nullptr && !is_known_ahead(*load, loop)) {
        return false;
      }
      bool gather = load != nullptr && !members.contains(load) && is_gather(*load, shapes);
      bool division = inst.getOpcode() == Instruction::FDiv || inst.getOpcode() == Instruction::FRem ||
                      (inst.isIntDivRem() && !isa<Constant>(inst.getOperand(1))) ||
                      (isa<CallBase>(inst) && cast<CallBase>(inst).getIntrinsicID() == Intrinsic::sqrt);
      gathers += gather;
      others += gather || isa<PHINode, BranchInst, GetElementPtrInst, CastInst>(inst) ? 0 : division ? kDivision : 1;
    }
  }
  return gathers >= kLeastGathers && others <= kOthersForAGather * gathers;
}

bool is_taken(const Loop &loop, const ShapeAnalysis &shapes) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return loop.isInnermost() && loop.getLoopPreheader() != nullptr && loop.getLoopLatch() != nullptr &&
         loop.getUniqueExitBlock() != nullptr && !loop.getUniqueExitBlock()->phis().empty() &&
         all_of(loop.blocks(), [](const BasicBlock *block) { return all_of(*block, may_run_alone); }) &&
         any_of(exiting, [&](const BasicBlock *block) { return shapes.is_divergent_branch(block); }) &&
         pays(loop, shapes);
}

/// A lane makes few turns, and another number than the lane before: unrolled, the loop would end in more branches that
/// nobody foresees. What the source says about it stays.
void keep_rolled(Loop &loop) {
  static constexpr const char *kAsked[] = {"llvm.loop.unroll.enable", "llvm.loop.unroll.full",
                                           "llvm.loop.unroll.count"};
  if (none_of(kAsked, [&](const char *name) { return findOptionMDForLoop(&loop, name) != nullptr; })) {
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
  }
}

/// `bound` is the larger of `start` and something, as signed numbers.
bool is_at_least(const Value *bound, const Value *start) {
  const auto *larger = dyn_cast<IntrinsicInst>(bound);
  return larger != nullptr && larger->getIntrinsicID() == Intrinsic::smax && is_contained(larger->args(), start);
}

/// A counter that goes up by one until it meets a bound which is not below its start does not wrap. The rewriting of
/// loop ends has forgotten that; with it, addresses are counted in 64 bits and need no extension in each turn.
void note_no_wrap(Loop &loop) {
  for (PHINode &phi : loop.getHeader()->phis()) {
    auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    auto *end = dyn_cast<BranchInst>(loop.getHeader()->getTerminator());
    auto *compare = end != nullptr && end->isConditional() ? dyn_cast<ICmpInst>(end->getCondition()) : nullptr;
    if (next == nullptr || !next->hasOneUse() || !match(next, m_Add(m_Specific(&phi), m_One())) || compare == nullptr ||
        !compare->isEquality() || !is_contained(compare->operands(), &phi)) {
      continue;
    }
    bool stays_if_equal = loop.contains(end->getSuccessor(compare->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1));
    const Value *bound = compare->getOperand(compare->getOperand(0) == &phi ? 1 : 0);
    if (!stays_if_equal && is_at_least(bound, phi.getIncomingValueForBlock(loop.getLoopPreheader()))) {
      next->setHasNoSignedWrap();
    }
  }
}

/// One loop on its way out of the kernel.
class LaneLoop {
public:
  explicit LaneLoop(Loop &loop)
      : kernel_(*loop.getHeader()->getParent()),
        preheader_(loop.getLoopPreheader()),
        header_(loop.getHeader()),
        exit_(loop.getUniqueExitBlock()),
        blocks_(loop.blocks().begin(), loop.blocks().end()) {}

  Function *take_out() {
    find_inputs();
    if (any_of(inputs_, [](const Value *input) { return !is_element(input->getType()); })) {
      return nullptr;
    }
    for (PHINode &phi : exit_->phis()) {
      results_.push_back(&phi);
    }
    create_function();
    fill_function();
    call_instead();
    return function_;
  }

private:
  void find_inputs() {
    SmallPtrSet<const BasicBlock *, 8> inside(blocks_.begin(), blocks_.end());
    auto note = [&](Value *value) {
      const auto *inst = dyn_cast<Instruction>(value);
      if (isa<Argument>(value) || (inst != nullptr && !inside.contains(inst->getParent()))) {
        inputs_.insert(value);
      }
    };
    for (BasicBlock *block : blocks_) {
      for (Instruction &inst : *block) {
        for_each(inst.operands(), note);
      }
    }
    for (PHINode &phi : exit_->phis()) {
      for_each(phi.incoming_values(), note);
    }
  }

  void create_function() {
    LLVMContext &context = kernel_.getContext();
    SmallVector<Type *, 8> parameters, results;
    for (Value *input : inputs_) {
      parameters.push_back(input->getType());
    }
    for (PHINode *result : results_) {
      results.push_back(result->getType());
    }
    auto *type = FunctionType::get(StructType::get(context, results), parameters, false);
    function_ =
        Function::Create(type, GlobalValue::InternalLinkage, kernel_.getName() + ".lane.loop", kernel_.getParent());
    function_->addFnAttr(kLaneLoop);
    function_->setDoesNotThrow();
    function_->setOnlyReadsMemory();
  }

  void fill_function() {
    LLVMContext &context = kernel_.getContext();
    ValueToValueMapTy map;
    for (auto [input, parameter] : zip(inputs_, function_->args())) {
      map[input] = &parameter;
    }
    BasicBlock *entry = BasicBlock::Create(context, "entry", function_);
    for (BasicBlock *block : blocks_) {
      map[block] = CloneBasicBlock(block, map, "", function_);
    }
    auto *done = CloneBasicBlock(exit_, map, "", function_);
    done->erase(done->getFirstNonPHIIt(), done->end());
    map[exit_] = done;
    map[preheader_] = entry;
    IRBuilder<> builder(entry);
    builder.CreateBr(cast<BasicBlock>(map[header_]));
    builder.SetInsertPoint(done);
    SmallVector<Value *, 4> results;
    for (PHINode &result : done->phis()) {
      results.push_back(&result);
    }
    builder.CreateAggregateRet(results.data(), static_cast<unsigned>(results.size()));
    for (BasicBlock &block : *function_) {
      for (Instruction &inst : block) {
        RemapInstruction(&inst, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      }
    }
  }

  void call_instead() {
    IRBuilder<> builder(preheader_->getTerminator());
    builder.SetCurrentDebugLocation(DebugLoc());
    CallInst *call = builder.CreateCall(function_, inputs_.getArrayRef());
    for (auto [i, result] : enumerate(results_)) {
      Value *value = builder.CreateExtractValue(call, static_cast<unsigned>(i), result->getName());
      result->replaceAllUsesWith(value);
      result->eraseFromParent();
    }
    builder.CreateBr(exit_);
    preheader_->getTerminator()->eraseFromParent();
    DeleteDeadBlocks(blocks_);
  }

  Function &kernel_;
  BasicBlock *preheader_, *header_, *exit_;
  SmallVector<BasicBlock *, 8> blocks_;
  SetVector<Value *> inputs_;
  SmallVector<PHINode *, 4> results_;
  Function *function_ = nullptr;
};

}  // namespace

bool is_lane_loop(const Function &function) { return function.hasFnAttribute(kLaneLoop); }

SmallVector<Function *, 2> take_out_lane_loops(Function &kernel) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  SmallVector<Loop *, 4> taken;
  if (!loops.empty()) {
    ShapeAnalysis shapes(kernel, LaneLayout::RowsOf32, /*whole_rows=*/true);
    copy_if(loops.getLoopsInPreorder(), std::back_inserter(taken),
            [&](const Loop *loop) { return is_taken(*loop, shapes); });
  }
  SmallVector<Function *, 2> functions;
  for (Loop *loop : taken) {
    keep_rolled(*loop);
    note_no_wrap(*loop);
    if (Function *function = LaneLoop(*loop).take_out()) {
      functions.push_back(function);
    }
  }
  return functions;
}

void inline_lane_loops(Function &body) {
  SmallVector<CallBase *, 4> calls;
  for (Instruction &inst : instructions(body)) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (call != nullptr && call->getCalledFunction() != nullptr && is_lane_loop(*call->getCalledFunction())) {
      calls.push_back(call);
    }
  }
  for (CallBase *call : calls) {
    InlineFunctionInfo info;
    InlineFunction(*call, info);
  }
}

}  // namespace hel::cc
