// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/split_phases.h"

#include "abi/thread.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"
#include "compiler/ir/simt_ops.h"
#include "compiler/passes/vectorise/own_locations.h"
#include "compiler/passes/vectorise/phase_writer.h"

#include "llvm/IR/Operator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <numeric>

namespace hel::cc {
namespace {

constexpr uint64_t kLargestFrame = 16 << 10;  ///< bytes of a warp
constexpr size_t kLargestBody = 20000;        ///< instructions; beyond, splitting takes too long
constexpr size_t kMostGrowth = 4;             ///< what several phases run is written once for each
constexpr uint32_t kNarrow = 32;

bool is_block_barrier(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee != nullptr && (callee->getName() == "__hl_barrier" || callee->getName() == "__hl_barrier_red_lanes");
}

bool is_round(const llvm::CallBase &call) {
  return call.getCalledFunction() != nullptr && call.getCalledFunction()->getName() == kRound;
}

/// A warp function of the kernel.
struct Body {
  llvm::Function *function;
  std::vector<llvm::CallInst *> barriers;
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
  return place && place->getPointerOperand() == body.getArg(0) && load->getType()->isIntegerTy(32) &&
         place->accumulateConstantOffset(body.getDataLayout(), offset) &&
         offset == offsetof(abi::LaunchState, block) + 4 * dimension;
}

class Splitting {
public:
  explicit Splitting(llvm::Function &kernel, llvm::Function &block) : kernel_(kernel), block_(block) {}

  bool run(bool has_barriers) {
    if (!find_bodies() || bodies_.empty() || (!has_barriers && !has_rounds() && !has_sums())) {
      return false;
    }
    for (Body &body : bodies_) {
      simplify(*body.function);
      if (!find_barriers(body)) {
        return false;
      }
    }
    bool joint = false;
    for (Body &body : bodies_) {
      body.values = std::make_unique<PhaseValues>(*body.function, body.barriers);
      joint |= runs_jointly(body);
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
  static bool runs_jointly(const Body &body);
  bool add_narrow_bodies();
  bool split();
  void enter_in_rounds(const llvm::DenseMap<llvm::Function *, uint32_t> &first);
  llvm::Value *first_phase(llvm::IRBuilder<> &builder, llvm::Function *body,
                           const llvm::DenseMap<llvm::Function *, uint32_t> &first);
  std::pair<llvm::BasicBlock *, llvm::Value *> write_turn(llvm::BasicBlock *before, llvm::ArrayRef<uint32_t> phases,
                                                          llvm::BasicBlock *over);
  void write_rounds(llvm::BasicBlock *rounds);
  llvm::Value *field(llvm::IRBuilder<> &builder, uint64_t offset, llvm::Value *warp = nullptr);

  llvm::Function &kernel_;
  llvm::Function &block_;
  std::vector<Body> bodies_;
  llvm::ConstantInt *barrier_id_ = nullptr;
  std::vector<llvm::Function *> phases_;
  std::vector<uint32_t> rounds_;  ///< the numbers of those behind the end of a round
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
    if (body == nullptr || body->isDeclaration() || body->arg_size() != 4) {
      return false;
    }
    functions.insert(body);
  }
  for (llvm::Function *function : functions) {
    if (function->getInstructionCount() > kLargestBody || waits_otherwise(*function)) {
      return false;
    }
    bodies_.push_back({function, {}, nullptr, nullptr});
  }
  return true;
}

/// Only kernels that may add up in a loop are worth a look for joint execution when they have no barriers.
bool Splitting::has_sums() {
  return llvm::any_of(bodies_, [](const Body &body) {
    return llvm::any_of(llvm::instructions(*body.function), [](const llvm::Instruction &inst) {
      return llvm::isa<llvm::PHINode>(inst) && inst.getType()->isVectorTy() && inst.getType()->isFPOrFPVectorTy();
    });
  });
}

bool Splitting::has_rounds() {
  return llvm::any_of(bodies_, [](const Body &body) {
    return llvm::any_of(llvm::instructions(*body.function), [](const llvm::Instruction &inst) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
      return call != nullptr && is_round(*call);
    });
  });
}

/// All barriers are one and the same, for the whole block: then no warp can miss one.
bool Splitting::find_barriers(Body &body) {
  for (llvm::Instruction &inst : llvm::instructions(*body.function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
    if (call != nullptr && is_round(*call)) {
      body.barriers.push_back(call);
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

/// True if warps run some phase of the body jointly.
bool Splitting::runs_jointly(const Body &body) {
  for (int end = PhaseWriter::kEntry; end < static_cast<int>(body.values->ends().size()); end++) {
    llvm::SetVector<llvm::BasicBlock *> blocks = PhaseWriter::blocks_of(*body.function, *body.values, end);
    if (JointWarps(*body.function, *body.values, end, blocks.getArrayRef()).count() > 1) {
      return true;
    }
  }
  return false;
}

/// In blocks of 32 threads in x, every warp has the same threadIdx.x: bodies that look at several rows get a form for
/// these, if that lets warps run jointly.
bool Splitting::add_narrow_bodies() {
  std::vector<Body> narrow;
  for (Body &body : bodies_) {
    bool rows = llvm::any_of(llvm::instructions(*body.function), [&](const llvm::Instruction &inst) {
      return reads_block_size(&inst, *body.function, 1);
    });
    if (!rows || !body.function->getArg(3)->use_empty()) {
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
    llvm::Argument *warp = copy->getArg(2);
    auto *number = llvm::cast<llvm::Instruction>(builder.CreateAnd(warp, PhaseState::kMostWarps - 1, "number"));
    warp->replaceUsesWithIf(number, [&](const llvm::Use &use) { return use.getUser() != number; });
    simplify(*copy);
    Body made{copy, {}, body.function, nullptr};
    find_barriers(made);
    made.values = std::make_unique<PhaseValues>(*copy, made.barriers);
    if (runs_jointly(made)) {
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
    PhaseWriter writer(*body.function, *body.values, frame_bytes_, static_cast<uint32_t>(phases_.size()));
    for (int end = PhaseWriter::kEntry; end < static_cast<int>(body.values->ends().size()); end++) {
      if (end != PhaseWriter::kEntry && is_round(*body.values->ends()[end].barrier)) {
        rounds_.push_back(static_cast<uint32_t>(phases_.size()));
      }
      phases_.push_back(writer.write(end, written));
      after += phases_.back()->getInstructionCount();
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

/// The block function's loop over the warps no longer runs them: it notes where each one begins.
void Splitting::enter_in_rounds(const llvm::DenseMap<llvm::Function *, uint32_t> &first) {
  llvm::IRBuilder<> builder(&*block_.getEntryBlock().getFirstInsertionPt());
  uint64_t bytes = PhaseState::kFrames + PhaseState::kMostWarps * frame_bytes_;
  state_ = builder.CreateAlloca(builder.getInt8Ty(), builder.getInt64(bytes), "state");
  state_->setAlignment(llvm::Align(64));
  for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(block_))) {
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
        call != nullptr && first.contains(call->getCalledFunction())) {
      builder.SetInsertPoint(call);
      llvm::Value *warp = call->getArgOperand(2);
      builder.CreateStore(first_phase(builder, call->getCalledFunction(), first),
                          field(builder, PhaseState::kNext, warp));
      builder.CreateStore(call->getArgOperand(3), field(builder, PhaseState::kLanes, warp));
      call->eraseFromParent();
    }
  }
  for (Body &body : bodies_) {
    body.values.reset();
    body.function->eraseFromParent();
  }
  llvm::BasicBlock *rounds = llvm::BasicBlock::Create(block_.getContext(), "round", &block_);
  for (llvm::BasicBlock &block : block_) {
    if (auto *end = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator())) {
      builder.SetInsertPoint(end);
      builder.CreateStore(builder.getInt64(0), field(builder, PhaseState::kTruths));
      builder.CreateBr(rounds);
      end->eraseFromParent();
    }
  }
  write_rounds(rounds);
}

/// Lets each warp whose next phase is among `phases` run it, neighbours that run the same one by one call. `before` is
/// to end with a branch to the block that is given, which leads to `over`; known there is how many of these warps have
/// not ended.
std::pair<llvm::BasicBlock *, llvm::Value *> Splitting::write_turn(llvm::BasicBlock *before,
                                                                   llvm::ArrayRef<uint32_t> phases,
                                                                   llvm::BasicBlock *over) {
  llvm::LLVMContext &context = block_.getContext();
  auto make = [&](const char *name) { return llvm::BasicBlock::Create(context, name, &block_); };
  llvm::BasicBlock *run = make("run"), *widen = make("neighbour"), *compare = make("same"), *pick = make("pick"),
                   *ran = make("ran");
  llvm::IRBuilder<> builder(run);
  llvm::Type *i32 = builder.getInt32Ty();
  llvm::Value *begin = block_.getArg(2), *end = block_.getArg(3);
  llvm::PHINode *warp = builder.CreatePHI(i32, 2, "warp"), *live = builder.CreatePHI(i32, 2, "live");
  llvm::Value *phase = builder.CreateLoad(i32, field(builder, PhaseState::kNext, warp), "phase");
  builder.CreateBr(widen);
  builder.SetInsertPoint(widen);
  llvm::PHINode *last = builder.CreatePHI(i32, 2, "last");
  llvm::Value *next = builder.CreateAdd(last, builder.getInt32(1), "next");
  builder.CreateCondBr(builder.CreateICmpULT(next, end), compare, pick);
  builder.SetInsertPoint(compare);
  llvm::Value *its_phase = builder.CreateLoad(i32, field(builder, PhaseState::kNext, next));
  builder.CreateCondBr(builder.CreateICmpEQ(its_phase, phase), widen, pick);
  last->addIncoming(warp, run);
  last->addIncoming(next, compare);

  builder.SetInsertPoint(ran);
  llvm::PHINode *stay = builder.CreatePHI(i32, 2, "stay");
  llvm::Value *all_live = builder.CreateAdd(live, stay);
  builder.CreateCondBr(builder.CreateICmpULT(next, end), run, over);
  warp->addIncoming(begin, before);
  warp->addIncoming(next, ran);
  live->addIncoming(builder.getInt32(0), before);
  live->addIncoming(all_live, ran);

  builder.SetInsertPoint(pick);
  llvm::SwitchInst *choice = builder.CreateSwitch(phase, ran, static_cast<unsigned>(phases.size()));
  stay->addIncoming(builder.getInt32(0), pick);
  for (uint32_t i : phases) {
    llvm::BasicBlock *call = llvm::BasicBlock::Create(context, "phase", &block_, ran);
    builder.SetInsertPoint(call);
    stay->addIncoming(builder.CreateCall(phases_[i], {block_.getArg(0), block_.getArg(1), warp, next, state_}), call);
    builder.CreateBr(ran);
    choice->addCase(builder.getInt32(i), call);
  }
  return {run, all_live};
}

/// Rounds, until no warp is left; those that stand at the end of a loop's round go on before the barrier opens.
void Splitting::write_rounds(llvm::BasicBlock *round) {
  llvm::LLVMContext &context = block_.getContext();
  auto make = [&](const char *name) { return llvm::BasicBlock::Create(context, name, &block_); };
  llvm::BasicBlock *over = make("round.over"), *done = make("end"), *again = rounds_.empty() ? over : make("again");
  llvm::IRBuilder<> builder(round);
  llvm::Value *begin = block_.getArg(2), *end = block_.getArg(3);
  // The barrier that all have come to opens: what was voted there is its result.
  llvm::Type *both = builder.getInt64Ty();
  builder.CreateStore(builder.CreateLoad(both, field(builder, PhaseState::kTruths)),
                      field(builder, PhaseState::kTruthsBefore));
  builder.CreateStore(builder.getInt64(0), field(builder, PhaseState::kTruths));
  llvm::SmallVector<uint32_t, 8> all(phases_.size());
  std::iota(all.begin(), all.end(), 0u);
  auto [first, live] = write_turn(round, all, again);
  builder.CreateCondBr(builder.CreateICmpULT(begin, end), first, done);
  if (again != over) {
    llvm::BasicBlock *turned = make("turned");
    auto [turn, left] = write_turn(again, rounds_, turned);
    builder.SetInsertPoint(again);
    builder.CreateBr(turn);
    builder.SetInsertPoint(turned);
    builder.CreateCondBr(builder.CreateICmpNE(left, builder.getInt32(0)), again, over);
  }
  builder.SetInsertPoint(over);
  builder.CreateCondBr(builder.CreateICmpNE(live, builder.getInt32(0)), round, done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  own_locations(block_, kernel_.getSubprogram());
}

/// Rounds of kernels that were not split are run through.
void drop_rounds(llvm::Module &module) {
  llvm::Function *round = module.getFunction(kRound);
  if (round == nullptr) {
    return;
  }
  for (llvm::User *user : llvm::make_early_inc_range(round->users())) {
    llvm::cast<llvm::CallInst>(user)->eraseFromParent();
  }
  round->eraseFromParent();
}

}  // namespace

Result<void> split_phases(llvm::Module &module, Compilation &) {
  for (llvm::Function *kernel : defined_kernels(module)) {
    KernelFacts facts = read_kernel_facts(*kernel);
    llvm::Function *block = module.getFunction((kernel->getName() + kBlockSuffix).str());
    if (block == nullptr || (facts.flags & abi::kKernelHasBlockFunction) == 0) {
      continue;
    }
    if (Splitting(*kernel, *block).run((facts.flags & abi::kKernelWarpsMeet) != 0)) {
      facts.flags = (facts.flags & ~abi::kKernelWarpsMeet) | abi::kKernelPhases;
      write_kernel_facts(*kernel, facts);
    }
  }
  drop_rounds(module);
  return {};
}

}  // namespace hel::cc
