// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/block_function.h"

#include "abi/block.h"
#include "abi/kernel.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/own_locations.h"
#include "compiler/passes/vectorise/widener.h"

#include <cstddef>

namespace hel::cc {

using namespace llvm;

FunctionType *body_type(LLVMContext &context) {
  Type *ptr = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
  return FunctionType::get(Type::getVoidTy(context), {ptr, ptr, i32, i32, i32, i32, i32}, false);
}

void describe_states(Function &function) {
  function.addFnAttr(Attribute::NoUnwind);
  const std::pair<unsigned, std::pair<size_t, size_t>> states[] = {
      {kLaunch, {sizeof(abi::LaunchState), alignof(abi::LaunchState)}},
      {kBlock, {sizeof(abi::BlockState), alignof(abi::BlockState)}}};
  for (auto [argument, size] : states) {
    function.addDereferenceableParamAttr(argument, size.first);
    function.addParamAttr(argument, Attribute::getWithAlignment(function.getContext(), Align(size.second)));
    function.addParamAttr(argument, Attribute::NoUndef);
  }
}

namespace {

class BlockFunction {
public:
  BlockFunction(Function &kernel, const Bodies &bodies)
      : kernel_(kernel), bodies_(bodies), context_(kernel.getContext()), builder_(context_) {}

  /// Only the last warp of a block may lack lanes, and none where whole warps make up a row. Code for all lanes may
  /// rely on such rows; else it runs the whole warps of others, too.
  Function *write() {
    Type *ptr = builder_.getPtrTy(), *i32 = builder_.getInt32Ty();
    auto *type = FunctionType::get(builder_.getVoidTy(), {ptr, ptr, i32, i32}, false);
    made_ = Function::Create(type, GlobalValue::InternalLinkage, kernel_.getName() + ".block", kernel_.getParent());
    describe_states(*made_);
    begin_ = made_->getArg(2);
    end_ = made_->getArg(3);
    BasicBlock *entry = make("entry"), *rows = make("rows"),
               *any_layout = bodies_.general != nullptr ? make("general") : rows;
    builder_.SetInsertPoint(entry);
    Value *launch = made_->getArg(kLaunch);
    Value *nx = field(launch, offsetof(abi::LaunchState, block)),
          *ny = field(launch, offsetof(abi::LaunchState, block) + 4),
          *nz = field(launch, offsetof(abi::LaunchState, block) + 8);
    grid_[0] = field(launch, offsetof(abi::LaunchState, grid));
    grid_[1] = field(launch, offsetof(abi::LaunchState, grid) + 4);
    threads_ = field(made_->getArg(kBlock), offsetof(abi::BlockState, thread_count));
    lane_state_ = field(made_->getArg(kBlock), offsetof(abi::BlockState, lane_state), ptr);
    Value *multiple = builder_.CreateICmpEQ(builder_.CreateAnd(nx, builder_.getInt32(31)), builder_.getInt32(0));
    Value *one_row = builder_.CreateICmpEQ(builder_.CreateMul(ny, nz), builder_.getInt32(1));
    // The widened code takes blockIdx.x * blockDim.x + threadIdx.x for a number that does not wrap.
    Value *all = builder_.CreateMul(builder_.CreateZExt(nx, builder_.getInt64Ty()),
                                    builder_.CreateZExt(grid_[0], builder_.getInt64Ty()));
    Value *small = builder_.CreateICmpULE(all, builder_.getInt64(abi::kMostInRow));
    Value *whole_rows = bodies_.one_row ? one_row : builder_.CreateOr(multiple, one_row);
    Value *in_rows = builder_.CreateAnd(whole_rows, small);
    whole_ = builder_.CreateBinaryIntrinsic(Intrinsic::umin, builder_.CreateLShr(threads_, 5), end_);
    BasicBlock *other = bodies_.short_rows.empty() ? any_layout : make("other");
    builder_.CreateCondBr(in_rows, rows, other);
    builder_.SetInsertPoint(rows);
    if (bodies_.full_in_any_row || bodies_.full == bodies_.some) {
      run(rows, bodies_.full, bodies_.some);
    } else {
      BasicBlock *rows_full = make("rows.full"), *rows_some = make("rows.some");
      builder_.CreateCondBr(multiple, rows_full, rows_some);
      run(rows_full, bodies_.full, bodies_.full);
      run(rows_some, bodies_.some, bodies_.some);
    }
    if (bodies_.general != nullptr) {
      run(any_layout, bodies_.general, bodies_.general);
    }
    if (!bodies_.short_rows.empty()) {
      builder_.SetInsertPoint(other);
      SwitchInst *choice = builder_.CreateSwitch(builder_.CreateSelect(small, nx, builder_.getInt32(0)), any_layout);
      for (auto [lanes_in_row, body] : bodies_.short_rows) {
        BasicBlock *at = make("rows.short");
        choice->addCase(builder_.getInt32(lanes_in_row), at);
        run(at, body, bodies_.general);
      }
    }
    if (bodies_.full != bodies_.some) {
      bodies_.full->addFnAttr(Attribute::AlwaysInline);
    }
    own_locations(*made_, kernel_.getSubprogram());
    return made_;
  }

private:
  BasicBlock *make(const Twine &name) { return BasicBlock::Create(context_, name, made_); }

  /// A member of LaunchState or BlockState that does not change while the function runs.
  Value *field(Value *base, size_t offset, Type *type = nullptr) {
    auto *load = builder_.CreateLoad(type != nullptr ? type : builder_.getInt32Ty(),
                                     builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    return load;
  }

  /// The loop over the blocks of one shape: their whole warps by one body, the rest by the other. Who asks for blockIdx
  /// in the states (phases, functions that are called, reports of faults) finds it there.
  void run(BasicBlock *at, Function *whole_warps, Function *rest) {
    BasicBlock *loop = make("block");
    Type *i32 = builder_.getInt32Ty();
    Value *block = made_->getArg(kBlock);
    builder_.SetInsertPoint(at);
    Value *first[3], *count = builder_.CreateLoad(i32, place(block, offsetof(abi::BlockState, blocks)), "blocks");
    for (unsigned d = 0; d < 3; d++) {
      first[d] = builder_.CreateLoad(i32, place(block, offsetof(abi::BlockState, ctaid) + 4 * d));
    }
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    PHINode *index[3], *left = builder_.CreatePHI(i32, 2, "left");
    for (unsigned d = 0; d < 3; d++) {
      index[d] = builder_.CreatePHI(i32, 2, "block");
      index[d]->addIncoming(first[d], at);
    }
    left->addIncoming(count, at);
    for (unsigned d = 0; d < 3; d++) {
      index_[d] = index[d];
      note(index[d], place(block, offsetof(abi::BlockState, ctaid) + 4 * d));
      note(index[d], place(lane_state_, offsetof(abi::ThreadState, ctaid) + 4 * d));
    }
    if (whole_warps == rest) {
      each_warp(rest, begin_, end_, true);
    } else {
      each_warp(whole_warps, begin_, whole_, false);
      each_warp(rest, builder_.CreateBinaryIntrinsic(Intrinsic::umax, begin_, whole_), end_, false);
    }
    builder_.CreateCall(kernel_.getParent()->getOrInsertFunction(kBlockOver, builder_.getVoidTy()));
    Value *fewer = builder_.CreateSub(left, builder_.getInt32(1));
    BasicBlock *next = make("next.block"), *over = make("over");
    builder_.CreateCondBr(builder_.CreateICmpUGT(left, builder_.getInt32(1)), next, over);
    builder_.SetInsertPoint(next);
    Value *carry = builder_.getTrue();
    for (unsigned d = 0; d < 3; d++) {
      Value *more = builder_.CreateAdd(index[d], builder_.CreateZExt(carry, i32));
      Value *wraps = d == 2 ? builder_.getFalse() : builder_.CreateICmpEQ(more, grid_[d]);
      index[d]->addIncoming(builder_.CreateSelect(wraps, builder_.getInt32(0), more), next);
      carry = wraps;
    }
    left->addIncoming(fewer, next);
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(over);
    builder_.CreateRetVoid();
  }

  Value *place(Value *base, size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
  }

  /// Each time, for a signal handler may read it.
  void note(Value *value, Value *place) {
    builder_.CreateAlignedStore(value, place, Align(4))->setOrdering(AtomicOrdering::Monotonic);
  }

  /// Runs the warps [from, to) of the block, one after the other. `some`: there are any.
  void each_warp(Function *body, Value *from, Value *to, bool some) {
    BasicBlock *before = builder_.GetInsertBlock(), *loop = make("warp"), *after = make("ran");
    builder_.CreateCondBr(some ? builder_.getTrue() : builder_.CreateICmpULT(from, to), loop, after);
    builder_.SetInsertPoint(loop);
    PHINode *warp = builder_.CreatePHI(builder_.getInt32Ty(), 2, "warp");
    Value *left = builder_.CreateSub(threads_, builder_.CreateShl(warp, 5));
    Value *is_full = builder_.CreateICmpUGE(left, builder_.getInt32(kWarpSize));
    Value *some_lanes = builder_.CreateSub(builder_.CreateShl(builder_.getInt32(1), builder_.CreateAnd(left, 31)),
                                           builder_.getInt32(1));
    Value *lanes = builder_.CreateSelect(is_full, builder_.getInt32(~0u), some_lanes);
    builder_.CreateCall(body,
                        {made_->getArg(kLaunch), made_->getArg(kBlock), warp, lanes, index_[0], index_[1], index_[2]});
    Value *next = builder_.CreateAdd(warp, builder_.getInt32(1));
    warp->addIncoming(from, before);
    warp->addIncoming(next, loop);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, to), loop, after);
    builder_.SetInsertPoint(after);
  }

  Function &kernel_;
  const Bodies &bodies_;
  LLVMContext &context_;
  IRBuilder<> builder_;
  Function *made_ = nullptr;
  Value *begin_ = nullptr, *end_ = nullptr, *threads_ = nullptr, *whole_ = nullptr, *lane_state_ = nullptr;
  Value *grid_[2] = {}, *index_[3] = {};
};

}  // namespace

Function *write_block_function(Function &kernel, const Bodies &bodies) { return BlockFunction(kernel, bodies).write(); }

}  // namespace hel::cc
