// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much a launch reads and writes, as far as it can be told where a loop is entered, and what follows from it:
// stores go past the caches, and loops that go through memory in large steps (`i += gridDim.x * blockDim.x`) let each
// warp of the block do one round before any does the next. What the warps touch in a round lies side by side:
//
//     warp by warp   w0: 0 | n | 2n | …   then   w1: 32 | n + 32 | …        128 bytes from each page, then the next
//     page in rounds      w0, w1, w2, …: 0 32 64 …   then   n n + 32 n + 64 …
#include "compiler/ir/loop_step.h"
#include "compiler/passes/vectorise/split_phases.h"
#include "compiler/passes/vectorise/widener.h"

#include "abi/block.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <cstddef>

namespace hel::cc {

using namespace llvm;

namespace {

constexpr uint32_t kFewThreads = 128;  ///< smaller blocks have too few warps for rounds
constexpr unsigned kMostKept = 2;      ///< vectors that a warp keeps from round to round
constexpr unsigned kFewTurns = 4;      ///< of a loop that takes long

}  // namespace

/// Bytes that a thread touches in one round, at places where its neighbours' stand side by side.
uint64_t Widener::bytes_a_round(const Loop &loop) const {
  uint64_t bytes = 0;
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &inst : *block) {
      const Value *place = getLoadStorePointerOperand(&inst);
      if (place == nullptr || loops_.getLoopFor(block) != &loop) {
        continue;
      }
      uint64_t size = dl_.getTypeStoreSize(getLoadStoreType(&inst)).getFixedValue();
      const Shape shape = shape_of(place);
      bytes += shape.is_linear() && shape.stride != 0 && !is_in_small_memory(place, dl_) ? size : 0;
    }
  }
  return bytes;
}

bool Widener::goes_in_rounds(const Loop &loop) const {
  const BasicBlock *latch = loop.getLoopLatch();
  const LoopCounter counter = counter_of(loop);
  if (!guarded_twice_ || !full_ || layout_ != LaneLayout::RowsOf32 || loop.getParentLoop() != nullptr ||
      latch == nullptr || body_block_[Together][order_->index_of(latch)] == nullptr || counter.start == nullptr ||
      isa<ConstantInt>(counter.step) || bytes_a_round(loop) == 0) {
    return false;
  }
  unsigned kept =
      count_if(loop.getHeader()->phis(), [&](PHINode &phi) { return shape_of(&phi).kind == Shape::Varying; });
  bool calls = any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &inst) {
      return isa<CallBase>(inst) && (!isa<IntrinsicInst>(inst) || inst.mayHaveSideEffects());
    });
  });
  return kept <= kMostKept && !calls;
}

/// The lanes count one after the other in each turn: against that it costs little to go from warp to warp, which then
/// finds what it reads in the first cache, wherever the data are. (Atomics elsewhere take longer than any cache.)
bool Widener::takes_long(const Loop &loop) const {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &inst) {
      return isa<AtomicRMWInst, AtomicCmpXchgInst>(inst) && !shape_of(inst.getOperand(0)).is_uniform() &&
             is_in_shared_memory(inst.getOperand(0), dl_);
    });
  });
}

/// Outside of loops the number of threads tells what the launch writes.
void Widener::prepare_rounds() {
  much_ = constant_field(builder_.getInt32Ty(), block_, offsetof(abi::BlockState, much));
  if (streamed_.bytes_a_thread() != 0) {
    auto bytes = static_cast<uint32_t>(std::min<uint64_t>(streamed_.bytes_a_thread(), ~0u));
    writes_much_ = cell(builder_.getInt1Ty(), "writes.much");
    builder_.CreateStore(streamed_.loop() == nullptr ? builder_.CreateICmpUGE(builder_.getInt32(bytes), much_)
                                                     : static_cast<Value *>(builder_.getFalse()),
                         writes_much_);
  }
  for (const Loop *loop : loops_) {
    if (goes_in_rounds(*loop)) {
      in_rounds_[loop] = cell(builder_.getInt1Ty(), "in.rounds");
      builder_.CreateStore(builder_.getFalse(), in_rounds_[loop]);
    }
  }
}

/// Where a loop is entered, how often it will run tells what a thread touches: (bound - start) / step times as much.
void Widener::foresee_rounds(const Loop &loop) {
  const LoopCounter counter = counter_of(loop);
  AllocaInst *in_rounds = in_rounds_.lookup(&loop);
  bool writes = writes_much_ != nullptr && streamed_.loop() == &loop;
  if (counter.start == nullptr || (in_rounds == nullptr && !writes)) {
    return;
  }
  for (Value *value : {counter.start, counter.step, counter.bound}) {
    const Shape shape = shape_of(value);
    if ((!shape.is_uniform() && !shape.is_linear()) || shape.guarded || !value->getType()->isIntegerTy()) {
      return;
    }
  }
  Type *i64 = builder_.getInt64Ty();
  auto number = [&](Value *value) { return builder_.CreateSExtOrTrunc(base(value, 0), i64); };
  // From where the block's first lane starts, which is the same for all warps.
  Value *start = base(counter.start, 0);
  if (one_row_ && shape_of(counter.start).is_linear()) {
    Value *warp = builder_.CreateZExtOrTrunc(warp_, start->getType());
    auto lanes = static_cast<uint64_t>(shape_of(counter.start).stride * kWarpSize);
    start = builder_.CreateSub(start, builder_.CreateMul(warp, ConstantInt::get(start->getType(), lanes)));
  }
  Value *length = builder_.CreateSub(number(counter.bound), builder_.CreateSExtOrTrunc(start, i64));
  Value *limit = builder_.CreateMul(builder_.CreateZExt(much_, i64), number(counter.step));
  auto is_much = [&](uint64_t bytes) {
    return builder_.CreateICmpSGE(builder_.CreateMul(length, builder_.getInt64(bytes)), limit);
  };
  if (writes) {
    builder_.CreateStore(is_much(streamed_.bytes_a_thread()), writes_much_);
  }
  if (in_rounds != nullptr) {
    Value *threads = constant_field(builder_.getInt32Ty(), block_, offsetof(abi::BlockState, thread_count));
    Value *many = builder_.CreateICmpUGE(threads, builder_.getInt32(kFewThreads));
    Value *turns = builder_.CreateMul(number(counter.step), builder_.getInt64(kFewTurns));
    Value *pays = takes_long(loop) ? builder_.CreateICmpSGE(length, turns) : is_much(bytes_a_round(loop));
    builder_.CreateStore(builder_.CreateAnd(many, pays), in_rounds);
  }
}

/// Places that are read side by side, whose next ones are known where a round ends.
SmallSetVector<Value *, 8> Widener::places_read_in_rounds() const {
  SmallSetVector<Value *, 8> places;
  for (const Loop *loop : loops_) {
    if (!goes_in_rounds(*loop)) {
      continue;
    }
    const Shape number = shape_of(counter_of(*loop).number);
    for (BasicBlock *block : loop->blocks()) {
      for (Instruction &inst : *block) {
        auto *load = dyn_cast<LoadInst>(&inst);
        if (load == nullptr || loops_.getLoopFor(block) != loop || !isa<Instruction>(load->getPointerOperand())) {
          continue;
        }
        const Shape place = shape_of(load->getPointerOperand());
        auto bytes = static_cast<int64_t>(dl_.getTypeStoreSize(load->getType()).getFixedValue());
        if (place.is_linear() && place.stride == bytes && number.is_linear() && number.stride != 0 &&
            place.stride % number.stride == 0) {
          places.insert(load->getPointerOperand());
        }
      }
    }
  }
  return places;
}

/// `value` itself, or what it is made from anew where it is used.
void Widener::add_what_makes(Value &value, SmallSetVector<Value *, 8> &kept) const {
  if (!shape_of(&value).guarded) {
    kept.insert(&value);
    return;
  }
  for (Value *operand : cast<Instruction>(value).operands()) {
    add_what_makes(*operand, kept);
  }
}

/// The processor does not look ahead as far as the next round.
void Widener::prefetch_next_round(const Loop &loop) {
  const LoopCounter counter = counter_of(loop);
  if (!shape_of(counter.step).is_uniform()) {
    return;
  }
  Value *step = builder_.CreateSExtOrTrunc(scalar(counter.step), builder_.getInt64Ty());
  for (Value *place : places_read_in_rounds()) {
    auto *inst = cast<Instruction>(place);
    if (!loop.contains(inst)) {
      continue;
    }
    int64_t stride = shape_of(inst).stride;
    Value *far = builder_.CreateMul(step, builder_.getInt64(stride / shape_of(counter.number).stride));
    Value *next = builder_.CreateGEP(builder_.getInt8Ty(), base(inst, 0), far);
    emit_prefetch(next, static_cast<uint64_t>(stride) * kWarpSize, builder_);
  }
}

/// The end of a round of a warp that is together: split_phases has the other warps do theirs.
void Widener::end_round(BasicBlock *latch, BasicBlock *header) {
  AllocaInst *in_rounds = in_rounds_.lookup(loops_.getLoopFor(latch));
  if (in_rounds == nullptr || loops_.getLoopFor(latch)->getLoopLatch() != latch) {
    return;
  }
  BasicBlock *stop = BasicBlock::Create(context_, "round", &body_), *on = BasicBlock::Create(context_, "on", &body_);
  builder_.CreateCondBr(builder_.CreateLoad(builder_.getInt1Ty(), in_rounds), stop, on);
  builder_.SetInsertPoint(stop);
  {
    const Way way(local_);
    prefetch_next_round(*loops_.getLoopFor(latch));
  }
  builder_.CreateCall(kernel_.getParent()->getOrInsertFunction(kRound, builder_.getVoidTy()));
  builder_.CreateBr(body_block_[Together][order_->index_of(header)]);
  builder_.SetInsertPoint(on);
}

}  // namespace hel::cc
