// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's uniformity analysis with the rules of one warp (NVPTX's own rules look across the grid), and on top of it an
// optimistic fixpoint for affine shapes.
#include "compiler/passes/vectorise/shape.h"

#include "compiler/ir/dominators.h"
#include "compiler/ir/simt_ops.h"
#include "compiler/ir/thread_state.h"
#include "compiler/passes/vectorise/interleave_locals.h"
#include "compiler/passes/vectorise/lane_numbers.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

namespace hel::cc {
namespace {

using namespace llvm;

/// Gives all lanes what the lane that operand 2 names holds, if all name the same one.
bool is_broadcast(const CallBase &call) {
  const auto *clamp = call.arg_size() == 4 ? dyn_cast<ConstantInt>(call.getArgOperand(3)) : nullptr;
  return clamp != nullptr && clamp->equalsInt(31) &&
         (call.getIntrinsicID() == Intrinsic::nvvm_shfl_sync_idx_i32 ||
          call.getIntrinsicID() == Intrinsic::nvvm_shfl_sync_idx_f32);
}

/// The mask of a vote, a reduction or a broadcast, which gives the same to all lanes that the mask names. Null for
/// other calls.
const Value *lanes_that_share(const CallBase &call) {
  if (is_broadcast(call)) {
    return call.getArgOperand(0);
  }
  const Function *callee = call.getCalledFunction();
  const SimtOp *op = callee != nullptr ? find_simt_op(*callee) : nullptr;
  return op != nullptr && op->uniform == Uniform::Warp ? named_lanes(call) : nullptr;
}

/// Who differs between the lanes of a warp, by itself.
InstructionUniformity warp_uniformity(const Value *value, LaneLayout layout) {
  const auto *call = dyn_cast<CallBase>(value);
  if (call == nullptr) {
    if (const auto *alloca = dyn_cast<AllocaInst>(value)) {
      return is_of_whole_warp(*alloca) ? InstructionUniformity::AlwaysUniform : InstructionUniformity::NeverUniform;
    }
    if (isa<AtomicRMWInst>(value) || isa<AtomicCmpXchgInst>(value)) {
      return InstructionUniformity::NeverUniform;
    }
    return InstructionUniformity::Default;
  }
  switch (call->getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
      return InstructionUniformity::NeverUniform;
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return layout == LaneLayout::RowsOf32 ? InstructionUniformity::AlwaysUniform
                                            : InstructionUniformity::NeverUniform;
    case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
    case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
    case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
    case Intrinsic::nvvm_read_ptx_sreg_clock:
    case Intrinsic::nvvm_read_ptx_sreg_clock64:
    case Intrinsic::nvvm_read_ptx_sreg_globaltimer:
      return InstructionUniformity::AlwaysUniform;
    case Intrinsic::nvvm_activemask:
      // Uniform over the lanes that take part; in lockstep those are the active ones.
      return InstructionUniformity::AlwaysUniform;
    case Intrinsic::nvvm_elect_sync:
    case Intrinsic::nvvm_match_any_sync_i32:
    case Intrinsic::nvvm_match_any_sync_i64:
    case Intrinsic::nvvm_match_all_sync_i32p:
    case Intrinsic::nvvm_match_all_sync_i64p:
      return InstructionUniformity::NeverUniform;
    case Intrinsic::not_intrinsic: {
      const Function *callee = call->getCalledFunction();
      return callee != nullptr && callee->getName() == kSelfName ? InstructionUniformity::AlwaysUniform
                                                                 : InstructionUniformity::NeverUniform;
    }
    default:
      if (lanes_that_share(*call) != nullptr) {
        return InstructionUniformity::AlwaysUniform;
      }
      if (call->getIntrinsicID() >= Intrinsic::nvvm_shfl_sync_bfly_f32 &&
          call->getIntrinsicID() <= Intrinsic::nvvm_shfl_sync_up_i32p) {
        return InstructionUniformity::NeverUniform;
      }
      return InstructionUniformity::Default;
  }
}

using ValueSet = SmallPtrSet<const Value *, 16>;

struct WarpTti : TargetTransformInfoImplCRTPBase<WarpTti> {
  LaneLayout layout;
  const ValueSet &proven;  ///< uniform for reasons that uniformity analysis does not see
  const ValueSet &split;   ///< warp functions whose lanes act in several groups
  WarpTti(const DataLayout &dl, LaneLayout layout, const ValueSet &proven, const ValueSet &split)
      : TargetTransformInfoImplCRTPBase(dl), layout(layout), proven(proven), split(split) {}
  bool hasBranchDivergence(const Function *) const override { return true; }
  InstructionUniformity getInstructionUniformity(const Value *value) const override {
    return proven.contains(value)  ? InstructionUniformity::AlwaysUniform
           : split.contains(value) ? InstructionUniformity::NeverUniform
                                   : warp_uniformity(value, layout);
  }
};

}  // namespace

bool extends_sign(const CastInst &extension, const Shape &from) {
  return isa<SExtInst>(extension) || (isa<ZExtInst>(extension) && extension.hasNonNeg() && !from.exact_unsigned);
}

uint64_t lane_bytes(const AllocaInst &alloca) {
  const DataLayout &dl = alloca.getDataLayout();
  const auto *count = dyn_cast<ConstantInt>(alloca.getArraySize());
  uint64_t bytes = dl.getTypeAllocSize(alloca.getAllocatedType()) * (count != nullptr ? count->getZExtValue() : 1);
  return alignTo(std::max<uint64_t>(bytes, 1), alloca.getAlign());
}

struct ShapeAnalysis::State {
  Function &kernel;
  LaneLayout layout;
  bool whole_rows;
  FunctionAnalysisManager analyses;
  DominatorTree *dominators = nullptr;
  UniformityInfo *uniformity = nullptr;
  LoopInfo *loops = nullptr;
  ValueSet proven, split;
  DenseMap<const Value *, Shape> shapes;

  State(Function &kernel, LaneLayout layout, bool whole_rows) : kernel(kernel), layout(layout), whole_rows(whole_rows) {
    analyses.registerPass([] { return PassInstrumentationAnalysis(); });
    analyses.registerPass([this] {
      return TargetIRAnalysis([this](const Function &f) {
        return TargetTransformInfo(std::make_unique<WarpTti>(f.getDataLayout(), this->layout, proven, split));
      });
    });
    analyses.registerPass([] { return DominatorTreeAnalysis(); });
    analyses.registerPass([] { return CycleAnalysis(); });
    analyses.registerPass([] { return LoopAnalysis(); });
    analyses.registerPass([] { return UniformityInfoAnalysis(); });
    do {
      analyses.clear();
      shapes.clear();
      dominators = &analyses.getResult<DominatorTreeAnalysis>(kernel);
      uniformity = &analyses.getResult<UniformityInfoAnalysis>(kernel);
      loops = &analyses.getResult<LoopAnalysis>(kernel);
      solve();
    } while (find_split() || prove_uniform());
  }

  /// Finds warp functions of which each lane names other lanes, or another one that it reads; true if there are new
  /// ones, which may undo what was thought of other values.
  bool find_split() {
    size_t before = split.size();
    for (Instruction &inst : instructions(kernel)) {
      const auto *call = dyn_cast<CallBase>(&inst);
      const Value *lanes = call != nullptr ? lanes_that_share(*call) : nullptr;
      if (lanes != nullptr && (uniformity->isDivergent(lanes) ||
                               (is_broadcast(*call) && !of_use(call->getArgOperandUse(2)).is_uniform()))) {
        split.insert(&inst);
      }
    }
    if (split.size() == before) {
      return false;
    }
    proven.clear();
    return true;
  }

  /// Finds values that are uniform because of how the lanes are numbered; true if there are new ones.
  bool prove_uniform() {
    size_t before = proven.size();
    for (Instruction &inst : instructions(kernel)) {
      if (layout == LaneLayout::RowsOf32 && uniformity->isDivergent(&inst) && inst.getNumOperands() == 2 &&
          drops_lane(inst, of_use(inst.getOperandUse(0)), whole_rows)) {
        proven.insert(&inst);
      }
    }
    return proven.size() != before;
  }

  Shape of(const Value *value) const {
    if (isa<Constant>(value) || isa<Argument>(value) || isa<BasicBlock>(value) || isa<MetadataAsValue>(value)) {
      return Shape::uniform();
    }
    auto found = shapes.find(value);
    return found == shapes.end() ? Shape{} : found->second;
  }

  /// A use sees other lanes' values than the definition had when a lane left a loop earlier than others.
  Shape of_use(const Use &use) const {
    Shape shape = of(use.get());
    const auto *definition = dyn_cast<Instruction>(use.get());
    if (definition == nullptr) {
      return shape;
    }
    bool mixed = shape.is_uniform()
                     ? uniformity->isDivergentUse(use)
                     : shape.is_linear() && !reached_together(definition, cast<Instruction>(use.getUser()));
    return mixed ? Shape::varying() : shape;
  }

  /// All lanes that come from `definition` to `user` have left the loops between them in the same iteration.
  bool reached_together(const Instruction *definition, const Instruction *user) const {
    const Loop *loop = loops->getLoopFor(definition->getParent());
    for (; loop != nullptr && !loop->contains(user->getParent()); loop = loop->getParentLoop()) {
      SmallVector<BasicBlock *, 4> exiting;
      loop->getExitingBlocks(exiting);
      const BasicBlock *latch = loop->getLoopLatch();
      for (const BasicBlock *block : exiting) {
        if (is_divergent_branch(block) || latch == nullptr || !dominators->dominates(block, latch)) {
          return false;
        }
      }
    }
    return true;
  }

  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Instruction &inst : instructions(kernel)) {
        Shape next = transfer(inst);
        Shape &now = shapes[&inst];
        if (next == now || now.kind == Shape::Varying) {
          continue;
        }
        // The lattice has no cycles: a second different answer is Varying.
        now = now.kind == Shape::Unknown || weaker(now, next) ? next : Shape::varying();
        changed = true;
      }
    }
  }

  /// Same stride, fewer promises.
  static bool weaker(const Shape &now, const Shape &next) {
    if (next.kind == Shape::Varying) {
      return true;
    }
    return now.is_linear() && next.is_linear() && now.kind <= next.kind && now.stride == next.stride &&
           now.exact_signed >= next.exact_signed && now.exact_unsigned >= next.exact_unsigned &&
           now.guarded <= next.guarded;
  }

  Shape transfer(Instruction &inst) const {
    if (!uniformity->isDivergent(&inst)) {
      return Shape::uniform();
    }
    Type *type = inst.getType();
    if (!type->isPointerTy() && (!type->isIntegerTy() || type->isIntegerTy(1) || type->getIntegerBitWidth() > 64)) {
      return Shape::varying();
    }
    if (short_row(layout) != 0 && may_run_once_a_row(inst)) {
      if (any_of(inst.operands(), [&](const Use &use) { return of_use(use).kind == Shape::Unknown; })) {
        return {};
      }
      if (all_of(inst.operands(), [&](const Use &use) { return of_use(use).is_same_in_row(); })) {
        return Shape::rows(0);
      }
    }
    if (auto *phi = dyn_cast<PHINode>(&inst)) {
      return transfer_phi(*phi);
    }
    if (auto *call = dyn_cast<CallBase>(&inst)) {
      return transfer_call(*call);
    }
    if (auto *alloca = dyn_cast<AllocaInst>(&inst)) {
      return Shape::affine(static_cast<int64_t>(lane_bytes(*alloca)), true, true);
    }
    if (auto *gep = dyn_cast<GetElementPtrInst>(&inst)) {
      return transfer_gep(*gep);
    }
    if (auto *cast = dyn_cast<CastInst>(&inst)) {
      return transfer_cast(*cast);
    }
    if (auto *binary = dyn_cast<BinaryOperator>(&inst)) {
      return transfer_binary(*binary);
    }
    if (auto *select = dyn_cast<SelectInst>(&inst)) {
      if (!of_use(select->getOperandUse(0)).is_uniform()) {
        return known(*select, 0) ? Shape::varying() : Shape{};
      }
      return unguarded(join(of_use(select->getOperandUse(1)), of_use(select->getOperandUse(2))));
    }
    if (isa<FreezeInst>(inst)) {
      return unguarded(of_use(inst.getOperandUse(0)));
    }
    return Shape::varying();
  }

  /// Values that cannot be made anew where they are used.
  static Shape unguarded(const Shape &shape) { return shape.guarded ? Shape::varying() : shape; }

  /// What gives the same in all lanes of a row if its operands do, and cannot fail for a row that is not there.
  static bool may_run_once_a_row(const Instruction &inst) {
    if (const auto *load = dyn_cast<LoadInst>(&inst)) {
      return load->isSimple();
    }
    if (const auto *call = dyn_cast<IntrinsicInst>(&inst)) {
      return isTriviallyVectorizable(call->getIntrinsicID()) && !call->mayHaveSideEffects();
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(&inst); binary != nullptr && binary->isIntDivRem()) {
      const auto *divisor = dyn_cast<ConstantInt>(binary->getOperand(1));
      return divisor != nullptr && divisor->getValue().isStrictlyPositive();
    }
    return isa<BinaryOperator, CastInst, GetElementPtrInst>(inst);
  }

  /// What a sum (or the like) of `a` and `b` is; what does not step is exact.
  static Shape linear(const Shape &a, const Shape &b, int64_t stride, bool exact_signed, bool exact_unsigned) {
    Shape::Kind kind = a.kind == Shape::Rows || b.kind == Shape::Rows ? Shape::Rows : Shape::Affine;
    return {kind, stride, exact_signed || stride == 0, exact_unsigned || stride == 0, a.guarded || b.guarded};
  }

  bool known(const User &user, unsigned operand) const {
    return of_use(user.getOperandUse(operand)).kind != Shape::Unknown;
  }

  static Shape join(const Shape &a, const Shape &b) {
    if (a.kind == Shape::Unknown) {
      return b;
    }
    if (b.kind == Shape::Unknown) {
      return a;
    }
    bool both_linear = a.is_linear() && b.is_linear() && a.stride == b.stride;
    if (both_linear || (a.is_same_in_row() && b.is_same_in_row() && !(a.is_uniform() && b.is_uniform()))) {
      return linear(a, b, a.stride, a.exact_signed && b.exact_signed, a.exact_unsigned && b.exact_unsigned);
    }
    return Shape::varying();
  }

  /// All active lanes come from the same predecessor each time control arrives here.
  bool arrives_together(const BasicBlock *block) const {
    if (loops->isLoopHeader(block) || block->getSinglePredecessor() != nullptr) {
      return true;
    }
    const BasicBlock *top = immediate_dominator(*dominators, block);
    SmallPtrSet<const BasicBlock *, 16> seen;
    SmallVector<const BasicBlock *, 16> work(predecessors(block));
    while (!work.empty()) {
      const BasicBlock *at = work.pop_back_val();
      if (!seen.insert(at).second) {
        continue;
      }
      if (is_divergent_branch(at)) {
        return false;
      }
      if (at != top) {
        work.append(pred_begin(at), pred_end(at));
      }
    }
    return true;
  }

  Shape transfer_phi(const PHINode &phi) const {
    Shape shape;
    for (const Use &incoming : phi.incoming_values()) {
      shape = join(shape, of_use(incoming));
    }
    if (shape.is_linear() && !arrives_together(phi.getParent())) {
      return Shape::varying();
    }
    return shape.is_uniform() ? Shape::varying() : unguarded(shape);
  }

  Shape transfer_call(const CallBase &call) const {
    switch (call.getIntrinsicID()) {
      case Intrinsic::nvvm_read_ptx_sreg_tid_x:
        return layout == LaneLayout::RowsOf32 ? Shape::affine(1, true, true)
               : short_row(layout) != 0       ? Shape::rows(1)
                                              : Shape::varying();
      case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      case Intrinsic::nvvm_read_ptx_sreg_tid_z:
        return short_row(layout) != 0 ? Shape::rows(0) : Shape::varying();
      case Intrinsic::nvvm_read_ptx_sreg_laneid:
        return Shape::affine(1, true, true);
      default:
        return Shape::varying();
    }
  }

  Shape transfer_gep(const GetElementPtrInst &gep) const {
    const DataLayout &dl = kernel.getDataLayout();
    Shape base = of_use(gep.getOperandUse(0));
    if (base.kind == Shape::Unknown || base.kind == Shape::Varying) {
      return base;
    }
    Shape shape = base;
    for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end; ++it) {
      unsigned operand = 1 + static_cast<unsigned>(std::distance(gep_type_begin(gep), it));
      Shape index = of_use(gep.getOperandUse(operand));
      if (index.kind == Shape::Unknown || index.kind == Shape::Varying) {
        return index;
      }
      if (index.is_linear()) {
        // Narrower indices are sign-extended to the pointer's width.
        if (gep.getOperand(operand)->getType()->getIntegerBitWidth() < dl.getIndexTypeSizeInBits(gep.getType()) &&
            !index.exact_signed) {
          return Shape::varying();
        }
        int64_t step = index.stride * static_cast<int64_t>(it.getSequentialElementStride(dl));
        shape = linear(shape, index, shape.stride + step, true, true);
      }
    }
    return linear(shape, shape, shape.stride, true, true);
  }

  /// A check of lane 0's value at run time tells whether a lane of the warp wraps around.
  static bool can_be_guarded(const Shape &from, const Type *type) {
    return std::abs(from.stride) < (int64_t{1} << 32) &&
           static_cast<uint64_t>(std::abs(from.stride)) * 32 < (uint64_t{1} << (type->getIntegerBitWidth() - 1));
  }

  Shape transfer_extension(const CastInst &cast, const Shape &from) const {
    bool is_signed = extends_sign(cast, from);
    Shape shape = linear(from, from, from.stride, true, !is_signed);
    if (!(is_signed ? from.exact_signed : from.exact_unsigned)) {
      if (!can_be_guarded(from, cast.getSrcTy())) {
        return Shape::varying();
      }
      shape.guarded = true;
    }
    return shape;
  }

  Shape transfer_cast(const CastInst &cast) const {
    Shape from = of_use(cast.getOperandUse(0));
    if (from.kind == Shape::Unknown || from.kind == Shape::Varying) {
      return from;
    }
    switch (cast.getOpcode()) {
      case Instruction::SExt:
      case Instruction::ZExt:
        return transfer_extension(cast, from);
      case Instruction::Trunc:
        return unguarded(linear(from, from, from.stride, false, false));
      case Instruction::PtrToInt:
      case Instruction::IntToPtr:
        return cast.getSrcTy()->getScalarSizeInBits() == 64 || cast.getDestTy()->getScalarSizeInBits() == 64
                   ? unguarded(linear(from, from, from.stride, false, false))
                   : Shape::varying();
      case Instruction::BitCast:
      case Instruction::AddrSpaceCast:
        return from;
      default:
        return Shape::varying();
    }
  }

  Shape transfer_binary(const BinaryOperator &op) const {
    Shape a = of_use(op.getOperandUse(0)), b = of_use(op.getOperandUse(1));
    if (a.kind == Shape::Unknown || b.kind == Shape::Unknown) {
      return {};
    }
    if (a.kind == Shape::Varying || b.kind == Shape::Varying) {
      return Shape::varying();
    }
    bool nsw = isa<OverflowingBinaryOperator>(op) && op.hasNoSignedWrap();
    bool nuw = isa<OverflowingBinaryOperator>(op) && op.hasNoUnsignedWrap();
    bool es = a.exact_signed && b.exact_signed, eu = a.exact_unsigned && b.exact_unsigned;
    switch (op.getOpcode()) {
      case Instruction::SRem:
        if (!is_global_index(op.getOperand(0), 0)) {
          return Shape::varying();
        }
        [[fallthrough]];
      case Instruction::And:
      case Instruction::URem:
        if (const auto *constant = dyn_cast<ConstantInt>(op.getOperand(1));
            constant != nullptr && layout == LaneLayout::RowsOf32 && is_row(op.getOperand(0), a, whole_rows) &&
            constant->getValue() == (op.getOpcode() == Instruction::And ? 31 : 32)) {
          return Shape::affine(1, true, true);
        }
        return Shape::varying();
      case Instruction::Or:
        if (!cast<PossiblyDisjointInst>(op).isDisjoint()) {
          return Shape::varying();
        }
        return linear(a, b, a.stride + b.stride, es, eu);
      case Instruction::Add:
        if (is_global_index(&op, short_row(layout) != 0 ? short_row(layout) : 32)) {
          return linear(a, b, a.stride + b.stride, true, true);
        }
        return linear(a, b, a.stride + b.stride, nsw && es, nuw && eu);
      case Instruction::Sub:
        return linear(a, b, a.stride - b.stride, nsw && es, false);
      case Instruction::Mul:
        for (unsigned constant = 0; constant < 2; constant++) {
          if (const auto *factor = dyn_cast<ConstantInt>(op.getOperand(constant))) {
            const Shape &other = constant == 0 ? b : a;
            return linear(other, other, other.stride * factor->getSExtValue(), nsw && es,
                          nuw && eu && !factor->isNegative());
          }
        }
        return Shape::varying();
      case Instruction::Shl:
        if (const auto *amount = dyn_cast<ConstantInt>(op.getOperand(1)); amount && amount->getZExtValue() < 32) {
          return linear(a, a, a.stride << amount->getZExtValue(), nsw && a.exact_signed, nuw && a.exact_unsigned);
        }
        return Shape::varying();
      default:
        return Shape::varying();
    }
  }

  bool is_divergent_branch(const BasicBlock *block) const { return uniformity->hasDivergentTerminator(*block); }
};

ShapeAnalysis::ShapeAnalysis(Function &kernel, LaneLayout layout, bool whole_rows)
    : state_(std::make_unique<State>(kernel, layout, whole_rows)) {}
ShapeAnalysis::~ShapeAnalysis() = default;

Shape ShapeAnalysis::of(const Value *value) const {
  Shape shape = state_->of(value);
  return shape.kind == Shape::Unknown ? Shape::varying() : shape;
}

bool ShapeAnalysis::is_divergent_branch(const BasicBlock *block) const { return state_->is_divergent_branch(block); }

}  // namespace hel::cc
