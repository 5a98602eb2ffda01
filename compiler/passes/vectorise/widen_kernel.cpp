// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/widen_kernel.h"

#include "abi/block.h"
#include "compiler/passes/vectorise/interleave_locals.h"
#include "compiler/passes/vectorise/lane_loops.h"
#include "compiler/passes/vectorise/own_locations.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

#include <cstddef>

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
void prepare(Function &kernel) {
  leave_at_unreachable(kernel);
  PassBuilder builder;
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
  FunctionPassManager passes;
  ScalarizerPassOptions scalarize;
  scalarize.ScalarizeLoadStore = true;
  passes.addPass(ScalarizerPass(scalarize));
  passes.addPass(LowerSwitchPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LoopSimplifyPass());
  passes.run(kernel, fam);
  fam.clear();
  interleave_locals(kernel);
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

// What the code generator may spend on a kernel, in the unit of code_cost (some 6000 take a second): on all bodies
// together, and on one if there is only one.
constexpr uint64_t kMostForBodies = 24'000;
constexpr uint64_t kMostForOneBody = 100'000;

/// The code generator's work for a body, counted in machine instructions. Its register allocator and schedulers take
/// time that grows with the square of what runs straight on.
uint64_t code_cost(const Function &body) {
  uint64_t cost = 0;
  for (const BasicBlock &block : body) {
    uint64_t size = 0;
    for (const Instruction &inst : block) {
      const auto *vector = dyn_cast<FixedVectorType>(inst.getType());
      size += vector == nullptr ? 1 : std::max<uint64_t>(vector->getPrimitiveSizeInBits().getFixedValue() / 512, 1);
    }
    cost += size + size * size / 1800;
  }
  return cost;
}

class BlockFunction {
public:
  explicit BlockFunction(Function &kernel) : kernel_(kernel), builder_(kernel.getContext()) {}

  Widened write() {
    ValueToValueMapTy values;
    Function *scalar = CloneFunction(&kernel_, values);
    scalar->setLinkage(GlobalValue::InternalLinkage);
    scalar->setName(kernel_.getName() + ".scalar");
    prepare(*scalar);
    const auto lane_loops = take_out_lane_loops(*scalar);
    Widened result;
    // The body for any block shape tells what the others would cost: large kernels do with fewer, or with it alone.
    Function *general = body(*scalar, LaneLayout::General, false, "general", result);
    const uint64_t cost = general == nullptr ? 1 : code_cost(*general), affordable = kMostForBodies / cost;
    if (cost > kMostForOneBody) {
      result.refusal = "the kernel is too large";
    }
    const bool several_rows = reads_rows(*scalar);
    guarded_twice_ = affordable >= (several_rows ? 8 : 4);
    Function *some = affordable < 2 ? general : body(*scalar, LaneLayout::RowsOf32, false, "rows", result);
    Function *full = affordable < 3 ? some : body(*scalar, LaneLayout::RowsOf32, true, "rows.full", result);
    move_before(some, general);
    move_before(full, some);
    result.bodies_left_out = affordable < (several_rows ? 5 : 3);
    SmallVector<std::pair<unsigned, Function *>, 2> short_rows;
    if (several_rows && affordable >= 5) {
      for (LaneLayout layout : {LaneLayout::RowsOf16, LaneLayout::RowsOf8}) {
        unsigned width = short_row(layout);
        short_rows.push_back({width, body(*scalar, layout, true, width == 16 ? "rows.16" : "rows.8", result)});
      }
    }
    if (result.refusal.empty()) {
      result.block = dispatch(full, some, general, short_rows);
    } else {
      for (Function *written : bodies_) {
        written->eraseFromParent();
      }
    }
    scalar->eraseFromParent();
    for (Function *loop : lane_loops) {
      loop->eraseFromParent();
    }
    return result;
  }

private:
  /// In the module the bodies for the most usual blocks come first.
  static void move_before(Function *body, Function *next) {
    if (body != nullptr && next != nullptr && body != next) {
      body->removeFromParent();
      next->getParent()->getFunctionList().insert(next->getIterator(), body);
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
    Type *ptr = builder_.getPtrTy(), *i32 = builder_.getInt32Ty();
    auto *type = FunctionType::get(builder_.getVoidTy(), {ptr, ptr, i32, i32}, false);
    Function *made =
        Function::Create(type, GlobalValue::InternalLinkage, kernel_.getName() + "." + suffix, kernel_.getParent());
    bodies_.push_back(made);
    describe_arguments(*made);
    Widener widener(scalar, *made, layout, full);
    if (guarded_twice_) {
      widener.write_guarded_twice();
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

  /// What stands in the states of launch and block may be read at any time.
  static void describe_arguments(Function &function) {
    function.addFnAttr(Attribute::NoUnwind);
    function.addDereferenceableParamAttr(0, sizeof(abi::LaunchState));
    function.addDereferenceableParamAttr(1, sizeof(abi::BlockState));
  }

  /// void block(ptr launch, ptr block, i32 begin, i32 end)
  ///
  /// Only the last warp of a block may lack lanes: the loop over those before it has one body.
  Function *dispatch(Function *full, Function *some, Function *general,
                     ArrayRef<std::pair<unsigned, Function *>> short_rows) {
    LLVMContext &context = kernel_.getContext();
    Type *ptr = builder_.getPtrTy(), *i32 = builder_.getInt32Ty();
    auto *type = FunctionType::get(builder_.getVoidTy(), {ptr, ptr, i32, i32}, false);
    Function *made =
        Function::Create(type, GlobalValue::InternalLinkage, kernel_.getName() + ".block", kernel_.getParent());
    describe_arguments(*made);
    Value *launch = made->getArg(0), *begin = made->getArg(2), *end = made->getArg(3);
    auto make = [&](const char *name) { return BasicBlock::Create(context, name, made); };
    BasicBlock *entry = make("entry"), *rows = make("rows"), *rows_full = make("rows.full"),
               *rows_some = make("rows.some"), *any_layout = make("general");
    builder_.SetInsertPoint(entry);
    Value *nx = field(launch, offsetof(abi::LaunchState, block)),
          *ny = field(launch, offsetof(abi::LaunchState, block) + 4),
          *nz = field(launch, offsetof(abi::LaunchState, block) + 8),
          *grid = field(launch, offsetof(abi::LaunchState, grid)),
          *threads = field(made->getArg(1), offsetof(abi::BlockState, thread_count));
    Value *multiple = builder_.CreateICmpEQ(builder_.CreateAnd(nx, builder_.getInt32(31)), builder_.getInt32(0));
    Value *one_row = builder_.CreateICmpEQ(builder_.CreateMul(ny, nz), builder_.getInt32(1));
    // The widened code takes blockIdx.x * blockDim.x + threadIdx.x for a number that does not wrap.
    Value *all = builder_.CreateMul(builder_.CreateZExt(nx, builder_.getInt64Ty()),
                                    builder_.CreateZExt(grid, builder_.getInt64Ty()));
    Value *small = builder_.CreateICmpULE(all, builder_.getInt64(1ull << 31));
    Value *in_rows = builder_.CreateAnd(builder_.CreateOr(multiple, one_row), small);
    Value *whole = builder_.CreateBinaryIntrinsic(Intrinsic::umin, builder_.CreateLShr(threads, 5), end);
    BasicBlock *other = short_rows.empty() ? any_layout : make("other");
    builder_.CreateCondBr(in_rows, rows, other);
    builder_.SetInsertPoint(rows);
    // Code for all lanes relies on whole rows too.
    builder_.CreateCondBr(multiple, rows_full, rows_some);
    auto run = [&](BasicBlock *at, Function *whole_warps, Function *rest) {
      builder_.SetInsertPoint(at);
      if (whole_warps != rest) {
        each_warp(*made, whole_warps, begin, whole, threads);
      }
      Value *left = whole_warps == rest ? begin : builder_.CreateBinaryIntrinsic(Intrinsic::umax, begin, whole);
      each_warp(*made, rest, left, end, threads);
      builder_.CreateRetVoid();
    };
    run(rows_full, full, some);
    run(rows_some, some, some);
    run(any_layout, general, general);
    if (!short_rows.empty()) {
      builder_.SetInsertPoint(other);
      SwitchInst *choice = builder_.CreateSwitch(builder_.CreateSelect(small, nx, builder_.getInt32(0)), any_layout);
      for (auto [lanes_in_row, callee] : short_rows) {
        choice->addCase(builder_.getInt32(lanes_in_row), make("rows.short"));
        run(choice->findCaseValue(builder_.getInt32(lanes_in_row))->getCaseSuccessor(), callee, general);
      }
    }
    if (full != some) {
      full->addFnAttr(Attribute::AlwaysInline);
    }
    own_locations(*made, kernel_.getSubprogram());
    return made;
  }

  /// A member of LaunchState or BlockState that does not change while the block runs.
  Value *field(Value *base, size_t offset) {
    auto *load =
        builder_.CreateLoad(builder_.getInt32Ty(), builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(kernel_.getContext(), {}));
    return load;
  }

  /// Runs the warps [from, to) of a block of so many threads, one after the other.
  void each_warp(Function &block, Function *body, Value *from, Value *to, Value *threads) {
    LLVMContext &context = kernel_.getContext();
    BasicBlock *before = builder_.GetInsertBlock(), *loop = BasicBlock::Create(context, "warp", &block),
               *after = BasicBlock::Create(context, "ran", &block);
    builder_.CreateCondBr(builder_.CreateICmpULT(from, to), loop, after);
    builder_.SetInsertPoint(loop);
    PHINode *warp = builder_.CreatePHI(builder_.getInt32Ty(), 2, "warp");
    Value *left = builder_.CreateSub(threads, builder_.CreateShl(warp, 5));
    Value *is_full = builder_.CreateICmpUGE(left, builder_.getInt32(kWarpSize));
    Value *some_lanes = builder_.CreateSub(builder_.CreateShl(builder_.getInt32(1), builder_.CreateAnd(left, 31)),
                                           builder_.getInt32(1));
    Value *lanes = builder_.CreateSelect(is_full, builder_.getInt32(~0u), some_lanes);
    builder_.CreateCall(body, {block.getArg(0), block.getArg(1), warp, lanes});
    Value *next = builder_.CreateAdd(warp, builder_.getInt32(1));
    warp->addIncoming(from, before);
    warp->addIncoming(next, loop);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, to), loop, after);
    builder_.SetInsertPoint(after);
  }

  Function &kernel_;
  IRBuilder<> builder_;
  std::vector<Function *> bodies_;
  bool guarded_twice_ = false;  ///< the kernel is small enough
};

}  // namespace

Widened widen_kernel(Function &kernel) { return BlockFunction(kernel).write(); }

}  // namespace hel::cc
