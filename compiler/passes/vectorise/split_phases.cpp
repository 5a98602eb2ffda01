// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/split_phases.h"

#include "abi/thread.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/named_calls.h"
#include "compiler/ir/run_passes.h"
#include "compiler/ir/simt_ops.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/needless_barriers.h"
#include "compiler/passes/vectorise/own_locations.h"
#include "compiler/passes/vectorise/partings.h"
#include "compiler/passes/vectorise/phase_rounds.h"
#include "compiler/passes/vectorise/phase_writer.h"
#include "compiler/passes/vectorise/prefetch_next_turn.h"

#include "llvm/IR/Operator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace hel::cc {
namespace {

constexpr uint64_t kLargestFrame = 16 << 10;  ///< bytes of a warp
constexpr size_t kLargestBody = 20000;        ///< instructions; beyond, splitting takes too long
constexpr size_t kMostGrowth = 4;             ///< what several phases run is written once for each
constexpr uint32_t kNarrow = 32;

bool is_block_barrier(const llvm::CallBase &call) {
  return is_call_of(&call, "__hl_barrier") || is_call_of(&call, "__hl_barrier_red_lanes");
}

/// A warp function of the kernel.
struct Body {
  llvm::Function *function;
  std::vector<llvm::CallInst *> barriers, rounds;
  llvm::Function *narrow_of = nullptr;  ///< this is the form of that one for blocks of kNarrow threads in x
  std::unique_ptr<PhaseValues> values;
};

bool calls_what_waits(llvm::Function &function) {
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || !callee->isDeclaration() || is_block_barrier(*call)) {
      continue;
    }
    llvm::StringRef name = callee->getName();
    if (name == "__hl_yield" || name == "__hl_nanosleep" || name.starts_with("llvm.nvvm.nanosleep") ||
        is_meeting_point(name)) {
      return true;
    }
  }
  return false;
}

/// True if the function, or what it calls, may wait in any way but at its own block barriers.
bool waits_otherwise(llvm::Function &function) {
  return llvm::any_of(functions_reached(function).functions, [](llvm::Function *f) { return calls_what_waits(*f); });
}

/// What is not computed need not be kept.
void simplify(llvm::Function &body) {
  llvm::InstCombineOptions combine;
  combine.setVerifyFixpoint(false);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass(combine));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  run_llvm_passes(body, passes);
}

/// True if `value` reads the number of threads of a block in x (dimension 0) or y (1).
bool reads_block_size(const llvm::Value *value, const llvm::Function &body, unsigned dimension) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  auto *place = load ? llvm::dyn_cast<llvm::GEPOperator>(load->getPointerOperand()) : nullptr;
  llvm::APInt offset(64, 0);
  return place && place->getPointerOperand() == body.getArg(kLaunch) && load->getType()->isIntegerTy(32) &&
         place->accumulateConstantOffset(body.getDataLayout(), offset) &&
         offset == offsetof(abi::LaunchState, block) + 4 * dimension;
}

class Splitting {
public:
  Splitting(llvm::Function &kernel, llvm::Function &block, VectorRegisters machine)
      : kernel_(kernel), block_(block), machine_(machine) {}

  bool run(bool has_barriers) {
    if (!find_bodies() || bodies_.empty() || (!has_barriers && !has_rounds() && !has_sums())) {
      return false;
    }
    for (Body &body : bodies_) {
      if (body.function->hasFnAttribute(kOneRow)) {
        mark_needless_barriers(*body.function);
      }
      prefetch_next_turn(*body.function, is_block_barrier);
      simplify(*body.function);
      if (!find_barriers(body)) {
        return false;
      }
    }
    bool joint = false;
    for (Body &body : bodies_) {
      joint |= cut(body);
    }
    joint |= add_narrow_bodies();
    if ((has_barriers || joint || has_rounds()) && split()) {
      return true;
    }
    for (Body &body : bodies_) {
      if (body.narrow_of != nullptr) {
        body.function->eraseFromParent();
      }
    }
    return false;
  }

private:
  bool find_bodies();
  bool has_sums();
  bool has_rounds();
  bool find_barriers(Body &body);
  bool cut(Body &body);
  bool add_narrow_bodies();
  bool split();
  void enter_in_rounds(const llvm::DenseMap<llvm::Function *, uint32_t> &first);
  llvm::Value *first_phase(llvm::IRBuilder<> &builder, llvm::Function *body,
                           const llvm::DenseMap<llvm::Function *, uint32_t> &first);
  void note_beginning(llvm::CallInst &call, const llvm::DenseMap<llvm::Function *, uint32_t> &first,
                      llvm::AllocaInst *common);
  llvm::Value *field(llvm::IRBuilder<> &builder, uint64_t offset, llvm::Value *warp = nullptr);

  llvm::Function &kernel_;
  llvm::Function &block_;
  const VectorRegisters machine_;
  std::vector<Body> bodies_;
  llvm::ConstantInt *barrier_id_ = nullptr;
  std::vector<Phase> phases_;
  uint64_t frame_bytes_ = 0;
  llvm::AllocaInst *state_ = nullptr;
};

/// The functions that the block function calls once for each warp.
bool Splitting::find_bodies() {
  llvm::SetVector<llvm::Function *> functions;
  for (llvm::Instruction &inst : llvm::instructions(block_)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) {
      continue;
    }
    llvm::Function *body = call->getCalledFunction();
    if (body != nullptr && body->getName() == kBlockOver) {
      continue;
    }
    if (body == nullptr || body->isDeclaration() || body->arg_size() != kBodyArguments) {
      return false;
    }
    functions.insert(body);
  }
  for (llvm::Function *function : functions) {
    if (function->getInstructionCount() > kLargestBody || waits_otherwise(*function)) {
      return false;
    }
    bodies_.push_back({function, {}, {}, nullptr, nullptr});
  }
  return true;
}

/// Only kernels that may add up in a loop are worth a look for joint execution when they have no barriers.
bool Splitting::has_sums() {
  return llvm::any_of(bodies_,
                      [](const Body &body) { return llvm::any_of(llvm::instructions(*body.function), is_carried); });
}

bool Splitting::has_rounds() {
  return llvm::any_of(bodies_,
                      [](const Body &body) { return llvm::any_of(llvm::instructions(*body.function), is_round); });
}

/// All barriers are one and the same, for the whole block: then no warp can miss one.
bool Splitting::find_barriers(Body &body) {
  for (llvm::Instruction &inst : llvm::instructions(*body.function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
    if (call != nullptr && is_round(*call)) {
      body.rounds.push_back(call);
    }
    if (call == nullptr || !is_block_barrier(*call)) {
      continue;
    }
    unsigned at = call->getType()->isVoidTy() ? 0 : 1;
    auto *id = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(at));
    auto *threads = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(at + 1));
    if (id == nullptr || threads == nullptr || !threads->isZero() || (barrier_id_ != nullptr && barrier_id_ != id)) {
      return false;
    }
    barrier_id_ = id;
    body.barriers.push_back(call);
  }
  return true;
}

/// Finds the phases of the body; true if warps run some of them jointly. Only partings that such warps come to are
/// left.
bool Splitting::cut(Body &body) {
  std::vector<llvm::CallInst *> partings = mark_partings(*body.function, body.barriers);
  for (;;) {
    std::vector<std::pair<llvm::CallInst *, PhaseEnd::Kind>> calls;
    for (auto [some, kind] : {std::pair(&body.barriers, PhaseEnd::Barrier), std::pair(&body.rounds, PhaseEnd::Round),
                              std::pair(&partings, PhaseEnd::Parting)}) {
      for (llvm::CallInst *call : *some) {
        calls.emplace_back(call, kind);
      }
    }
    body.values = std::make_unique<PhaseValues>(*body.function, calls);
    llvm::SmallPtrSet<const llvm::BasicBlock *, 32> joined;
    llvm::BitVector joint_ends(calls.size());
    for (int end = PhaseWriter::kEntry; end < static_cast<int>(body.values->ends().size()); end++) {
      llvm::SetVector<llvm::BasicBlock *> blocks = PhaseWriter::blocks_of(*body.function, *body.values, end, true);
      const JointWarps joint(*body.function, *body.values, end, blocks.getArrayRef(), machine_);
      if (joint.count() > 1) {
        joined.insert(joint.blocks().begin(), joint.blocks().end());
        for (size_t other = 0; other < calls.size(); other++) {
          if (static_cast<int>(other) == end || blocks.contains(calls[other].first->getParent())) {
            joint_ends.set(other);
          }
        }
      }
    }
    auto unused = std::partition(partings.begin(), partings.end(),
                                 [&](const llvm::CallInst *mark) { return joined.contains(mark->getParent()); });
    if (unused == partings.end()) {
      body.values->lay_out_frame(joint_ends);
      return !joined.empty();
    }
    std::for_each(unused, partings.end(), [](llvm::CallInst *mark) { mark->eraseFromParent(); });
    partings.erase(unused, partings.end());
  }
}

/// In blocks of 32 threads in x, every warp has the same threadIdx.x: bodies that look at several rows and do not know
/// how long these are get a form for such blocks, if that lets warps run jointly.
bool Splitting::add_narrow_bodies() {
  std::vector<Body> narrow;
  for (Body &body : bodies_) {
    auto reads_size = [&](unsigned dimension) {
      return llvm::any_of(llvm::instructions(*body.function), [&](const llvm::Instruction &inst) {
        return reads_block_size(&inst, *body.function, dimension);
      });
    };
    if (!reads_size(0) || !reads_size(1) || !body.function->getArg(kLanes)->use_empty()) {
      continue;
    }
    llvm::ValueToValueMapTy map;
    llvm::Function *copy = llvm::CloneFunction(body.function, map);
    copy->setName(body.function->getName() + ".x32");
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(*copy))) {
      if (reads_block_size(&inst, *copy, 0)) {
        inst.replaceAllUsesWith(llvm::ConstantInt::get(inst.getType(), kNarrow));
        inst.eraseFromParent();
      }
    }
    // That a warp's number is small makes its threadIdx.x visibly 0.
    llvm::IRBuilder<> builder(&*copy->getEntryBlock().getFirstInsertionPt());
    llvm::Argument *warp = copy->getArg(kWarp);
    auto *number = llvm::cast<llvm::Instruction>(builder.CreateAnd(warp, PhaseState::kMostWarps - 1, "number"));
    warp->replaceUsesWithIf(number, [&](const llvm::Use &use) { return use.getUser() != number; });
    simplify(*copy);
    Body made{copy, {}, {}, body.function, nullptr};
    find_barriers(made);
    if (cut(made)) {
      narrow.push_back(std::move(made));
    } else {
      made.values.reset();
      copy->eraseFromParent();
    }
  }
  bool any = !narrow.empty();
  std::move(narrow.begin(), narrow.end(), std::back_inserter(bodies_));
  return any;
}

bool Splitting::split() {
  size_t before = 0, after = 0;
  for (Body &body : bodies_) {
    before += body.function->getInstructionCount();
    frame_bytes_ = std::max(frame_bytes_, body.values->frame_bytes());
  }
  if (frame_bytes_ > kLargestFrame) {
    return false;
  }
  std::vector<llvm::Function *> written;
  llvm::DenseMap<llvm::Function *, uint32_t> first;
  for (Body &body : bodies_) {
    first[body.function] = static_cast<uint32_t>(phases_.size());
    PhaseWriter writer(*body.function, *body.values, frame_bytes_, static_cast<uint32_t>(phases_.size()), machine_);
    for (int end = PhaseWriter::kEntry; end < static_cast<int>(body.values->ends().size()); end++) {
      phases_.push_back(writer.write(end, written));
      after += phases_.back().function->getInstructionCount();
      if (after > kMostGrowth * before + 4000) {
        for (llvm::Function *function : llvm::reverse(written)) {
          function->eraseFromParent();
        }
        return false;
      }
    }
  }
  for (llvm::Function *function : written) {
    own_locations(*function, kernel_.getSubprogram());
  }
  enter_in_rounds(first);
  return true;
}

llvm::Value *Splitting::field(llvm::IRBuilder<> &builder, uint64_t offset, llvm::Value *warp) {
  llvm::Value *base = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), state_, offset);
  return warp == nullptr ? base : builder.CreateInBoundsGEP(builder.getInt32Ty(), base, warp);
}

/// The number of the phase with which a warp begins that would run `body`.
llvm::Value *Splitting::first_phase(llvm::IRBuilder<> &builder, llvm::Function *body,
                                    const llvm::DenseMap<llvm::Function *, uint32_t> &first) {
  llvm::Value *phase = builder.getInt32(first.lookup(body));
  for (const Body &other : bodies_) {
    if (other.narrow_of == body) {
      llvm::Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block_.getArg(0),
                                                              offsetof(abi::LaunchState, block));
      llvm::Value *width = builder.CreateLoad(builder.getInt32Ty(), place);
      phase = builder.CreateSelect(builder.CreateICmpEQ(width, builder.getInt32(kNarrow)),
                                   builder.getInt32(first.lookup(other.function)), phase);
    }
  }
  return phase;
}

/// The block function's loops over warps no longer run them: they note where each warp begins.
void Splitting::enter_in_rounds(const llvm::DenseMap<llvm::Function *, uint32_t> &first) {
  llvm::IRBuilder<> builder(&*block_.getEntryBlock().getFirstInsertionPt());
  uint64_t bytes = PhaseState::kFrames + PhaseState::kMostWarps * frame_bytes_;
  state_ = builder.CreateAlloca(builder.getInt8Ty(), builder.getInt64(bytes), "state");
  llvm::cast<llvm::AllocaInst>(state_)->setAlignment(llvm::Align(64));
  llvm::AllocaInst *common = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "common");
  llvm::Function *rounds = PhaseRounds(block_, phases_).write(kernel_.getName() + ".rounds");
  llvm::SmallVector<llvm::CallInst *, 8> calls;
  for (llvm::Instruction &inst : llvm::instructions(block_)) {
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&inst); call != nullptr && call->getCalledFunction() != nullptr) {
      calls.push_back(call);
    }
  }
  for (llvm::CallInst *call : calls) {
    if (first.contains(call->getCalledFunction())) {
      note_beginning(*call, first, common);
    } else if (call->getCalledFunction()->getName() == kBlockOver) {
      builder.SetInsertPoint(call);
      builder.CreateCall(rounds, {block_.getArg(0), block_.getArg(1), block_.getArg(2), block_.getArg(3), state_,
                                  builder.CreateLoad(builder.getInt32Ty(), common)});
    }
  }
  for (Body &body : bodies_) {
    body.values.reset();
    body.function->eraseFromParent();
  }
  own_locations(block_, kernel_.getSubprogram());
  own_locations(*rounds, kernel_.getSubprogram());
}

/// In the place of a loop that calls a body for the warps [from, to): their first phase in the state, and in `common`
/// if these are all the warps of the call.
void Splitting::note_beginning(llvm::CallInst &call, const llvm::DenseMap<llvm::Function *, uint32_t> &first,
                               llvm::AllocaInst *common) {
  llvm::BasicBlock *loop = call.getParent();
  auto *warp = llvm::cast<llvm::PHINode>(call.getArgOperand(kWarp));
  auto *end = llvm::cast<llvm::BranchInst>(loop->getTerminator());
  unsigned entry = warp->getIncomingBlock(0) == loop ? 1 : 0;
  llvm::Value *from = warp->getIncomingValue(entry),
              *to = llvm::cast<llvm::ICmpInst>(end->getCondition())->getOperand(1);
  llvm::BasicBlock *after = end->getSuccessor(end->getSuccessor(0) == loop ? 1 : 0);
  llvm::IRBuilder<> builder(loop, loop->getFirstInsertionPt());
  llvm::Value *last = builder.CreateSub(to, builder.getInt32(1), "last");
  builder.SetInsertPoint(&call);
  llvm::Value *phase = first_phase(builder, call.getCalledFunction(), first);
  llvm::Type *numbers = llvm::FixedVectorType::get(builder.getInt32Ty(), PhaseState::kMostWarps);
  auto splat = [&](llvm::Value *value) { return builder.CreateVectorSplat(PhaseState::kMostWarps, value); };
  llvm::SmallVector<llvm::Constant *, PhaseState::kMostWarps> each;
  for (uint32_t i = 0; i < PhaseState::kMostWarps; i++) {
    each.push_back(builder.getInt32(i));
  }
  llvm::Value *number = llvm::ConstantVector::get(each);
  llvm::Value *here =
      builder.CreateAnd(builder.CreateICmpUGE(number, splat(from)), builder.CreateICmpULT(number, splat(to)));
  auto fill = [&](uint64_t offset, llvm::Value *value) {
    llvm::Value *place = field(builder, offset);
    llvm::Value *before = builder.CreateAlignedLoad(numbers, place, llvm::Align(4));
    builder.CreateAlignedStore(builder.CreateSelect(here, splat(value), before), place, llvm::Align(4));
  };
  llvm::Value *all =
      builder.CreateAnd(builder.CreateICmpEQ(from, block_.getArg(2)), builder.CreateICmpEQ(to, block_.getArg(3)));
  // Where all warps begin alike, nobody reads where each does; to read what the block before has just written in pieces
  // would wait for all that it still does.
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(builder.CreateNot(all), &call, false));
  fill(PhaseState::kNext, phase);
  builder.SetInsertPoint(&call);
  if (!call.getCalledFunction()->getArg(kLanes)->use_empty()) {
    fill(PhaseState::kLanes, builder.getInt32(~0u));  // only the last one may lack some
    builder.CreateStore(call.getArgOperand(kLanes), field(builder, PhaseState::kLanes, last));
  }
  builder.CreateStore(builder.CreateSelect(all, phase, builder.getInt32(PhaseState::kSeveral)), common);
  warp->replaceAllUsesWith(last);
  warp->eraseFromParent();
  call.eraseFromParent();
  llvm::ReplaceInstWithInst(end, llvm::BranchInst::Create(after));
}

/// What only the splitting of a kernel looks at.
void drop_marks(llvm::Module &module) {
  for (const char *name : {kRound, kParting, kBlockOver}) {
    llvm::Function *mark = module.getFunction(name);
    if (mark == nullptr) {
      continue;
    }
    for (llvm::User *user : llvm::make_early_inc_range(mark->users())) {
      llvm::cast<llvm::CallInst>(user)->eraseFromParent();
    }
    mark->eraseFromParent();
  }
}

}  // namespace

bool is_round(const llvm::Instruction &inst) { return is_call_of(&inst, kRound); }

bool ends_round(const llvm::BasicBlock *block) { return llvm::any_of(*block, is_round); }

Result<void> split_phases(llvm::Module &module, Compilation &compilation) {
  const VectorRegisters machine = vector_registers(compilation.target);
  for (llvm::Function *kernel : defined_kernels(module)) {
    KernelFacts facts = read_kernel_facts(*kernel);
    llvm::Function *block = module.getFunction((kernel->getName() + kBlockSuffix).str());
    if (block == nullptr || (facts.flags & abi::kKernelHasBlockFunction) == 0) {
      continue;
    }
    if (Splitting(*kernel, *block, machine).run((facts.flags & abi::kKernelWarpsMeet) != 0)) {
      facts.flags = (facts.flags & ~abi::kKernelWarpsMeet) | abi::kKernelPhases;
      write_kernel_facts(*kernel, facts);
    }
  }
  restore_needless_barriers(module);
  drop_marks(module);
  return {};
}

}  // namespace hel::cc
