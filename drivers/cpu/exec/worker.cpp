// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/worker.h"

#include <sched.h>
#include <time.h>
#include <x86intrin.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "abi/kernel.h"
#include "base/settings.h"
#include "drivers/cpu/exec/fault/fault_handler.h"
#include "drivers/cpu/exec/fault/fault_report.h"
#include "drivers/cpu/exec/grid.h"
#include "drivers/cpu/exec/work_queue.h"

extern "C" __attribute__((visibility("default"),
                          tls_model("initial-exec"))) thread_local constinit hel::abi::ThreadState *__hl_thread =
    nullptr;

namespace hel::cpu::exec {
namespace {

constexpr int kRoundsPerTurn = 8;      // of one block before others get theirs
constexpr uint32_t kPatientTurns = 4;  // a live block, before a further one is started beside the waiting ones
constexpr uint32_t kMostPatientTurns = 64;
constexpr uint32_t kFibersPerWorker = 16384;  // a worker with more fibers or blocks starts no further ones beside them
constexpr size_t kBlocksPerWorker = 1024;
constexpr uint32_t kPausingTurns = 64;     // stalled turns before the processor is offered to others,
constexpr uint64_t kOfferCycles = 50'000;  // and the time between offers
constexpr uint32_t kTurnsPerCheck = 1024;  // stalled turns between looks at the clock
constexpr uint32_t kNappingTurns = 4096;   // stalled turns without any running thread before the worker naps

uint64_t nanoseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

thread_local SignalStack signal_stack;

/// What every fiber does for ever: the threads or warps of the block it is given to.
void fiber_main() {
  for (;;) {
    auto *self = static_cast<Fiber *>(__hl_thread->engine);
    while (self->block->begin_next(self)) {
      const abi::LaunchState *launch = self->state.launch;
      if (self->block->by_warps()) {
        do {
          launch->kernel->block_entry(launch, &self->block_state, self->thread / kWarpSize, self->warp_end);
        } while (self->block->follow(self));
        _mm_sfence();  // what went past the caches is there before anybody hears that these blocks have ended
        self->block->end_warps(self);
      } else {
        launch->kernel->thread_entry(launch->params);
        self->block->end_thread(self);
      }
    }
    self->event = FiberEvent::Idle;
    leave_fiber(self->context, self->worker->home_context());
  }
}

}  // namespace

HEL_THREAD_LOCAL constinit Worker *Worker::current_ = nullptr;

Worker::Worker(uint32_t index) : index_(index) {}

Worker::~Worker() {
  for (int c = 0; c < kStackClasses; ++c) {
    for (Fiber *f : idle_fibers_[c]) {
      discard_fiber(f->context);
      release_stack(c, f->stack);
      delete f;
    }
  }
  if (current_ == this) {
    current_ = nullptr;
  }
}

void Worker::bind_to_thread() {
  current_ = this;
  signal_stack.install();
  adopt_thread(home_);
}

Fiber *Worker::take_fiber(int stack_class) {
  auto &idle = idle_fibers_[stack_class];
  ++fibers_out_;
  if (!idle.empty()) {
    Fiber *f = idle.back();
    idle.pop_back();
    return f;
  }
  FiberStack stack;
  if (!acquire_stack(stack_class, &stack)) {
    --fibers_out_;
    return nullptr;
  }
  auto *f = new Fiber;
  f->worker = this;
  f->stack = stack;
  f->stack_class = static_cast<uint8_t>(stack_class);
  prepare_fiber(f->context, stack.top, fiber_main);
  return f;
}

void Worker::give_fiber(Fiber *f) {
  --fibers_out_;
  f->block = nullptr;
  idle_fibers_[f->stack_class].push_back(f);
}

void Worker::reset_fiber(Fiber *f) {
  f->in_thread = false;
  discard_fiber(f->context);
  prepare_fiber(f->context, f->stack.top, fiber_main);
}

/// A fault lands here as if the fiber had switched back.
HEL_CHANGES_FIBER Fiber *Worker::resume(Fiber *f) {
  running_ = f;
  __hl_thread = &f->state;
  switch_fiber(home_, f->context);
  Fiber *back = running_;
  if (fault_.signal != 0) [[unlikely]] {
    resume_after_fault(home_);
    back->event = FiberEvent::Faulted;
  }
  running_ = nullptr;
  __hl_thread = nullptr;
  ++resumes_;
  return back;
}

void Worker::hand_over(Fiber *from, Fiber *to) {
  running_ = to;
  __hl_thread = &to->state;
  switch_fiber(from->context, to->context);
}

void Worker::leave(Fiber *f, FiberEvent event) {
  f->event = event;
  switch_fiber(f->context, f->worker->home_);
}

void raise_fault(Fiber *f, int code, const char *what, const char *message) {
  struct Raised {
    Fiber *fiber;
    int code;
    const char *what;
    const char *message;
  } raised{f, code, what, message};
  f->worker->call_at_home(
      [](void *argument) {
        auto *r = static_cast<Raised *>(argument);
        Fault &fault = r->fiber->worker->fault();
        fault.code = r->code;
        fault.place = r->fiber->place;
        fault.what = r->what;
        fault.message = r->message != nullptr ? r->message : "";
      },
      &raised);
  Worker::leave(f, FiberEvent::Faulted);
  __builtin_unreachable();
}

void Worker::run() {
  WorkQueue &queue = WorkQueue::instance();
  for (;;) {
    bool progress = queue.run_task();
    progress |= turn();
    if (live_.empty() || stalled_turns_ >= std::min<size_t>(kPatientTurns * live_.size(), kMostPatientTurns)) {
      progress |= start_block();
    }
    if (progress) {
      continue;
    }
    if (live_.empty()) {
      queue.wait_for_work(index_);
    } else {
      relax();
    }
  }
}

void Worker::run_chunk(const Chunk &chunk, const HelpOrder *order) {
  busy_ = true;
  order_ = order;
  chunk_ = chunk;
  while (start_next()) {
    while (!live_.empty()) {
      if (!turn()) {
        relax();
      }
    }
  }
  busy_ = false;
}

/// Lets every live block run. True if one got on without giving way.
bool Worker::turn() {
  bool progress = false;
  for (size_t i = 0; i < live_.size();) {
    BlockRun *block = live_[i];
    progress |= run_block(block);
    if (i < live_.size() && live_[i] == block) {
      ++i;
    }
  }
  if (progress || live_.empty()) {
    stalled_turns_ = 0;
    resumes_at_stall_ = resumes_;
  } else {
    ++stalled_turns_;
  }
  return progress;
}

/// Runs a block until it stalls or ends. True if it did not stall.
bool Worker::run_block(BlockRun *block) {
  for (int round = 0; round < kRoundsPerTurn; ++round) {
    if (block->grid()->cancelled.load(std::memory_order_relaxed)) {
      end_block(block, true);
      return true;
    }
    const RoundResult result = block->run_round();
    if (result == RoundResult::Stalled) {
      return false;
    }
    if (result != RoundResult::Progress) {
      report(block, result);
      end_block(block, result != RoundResult::Finished);
      return true;
    }
  }
  return true;
}

/// Makes the grid's fault from what ended the block early.
void Worker::report(BlockRun *block, RoundResult result) {
  Grid *grid = block->grid();
  switch (result) {
    case RoundResult::Stuck:
      grid->cancel(report_deadlock(*block), "");
      break;
    case RoundResult::NoMemory:
      grid->cancel(report_no_memory(*grid), "");
      break;
    case RoundResult::Faulted:
      grid->cancel(report_fault(fault_, *block->faulted()), fault_.message);
      fault_ = {};
      break;
    default:
      break;
  }
}

void Worker::end_block(BlockRun *block, bool dropped) {
  Grid *grid = block->grid();
  if (dropped) {
    block->abandon();
  } else if (grid->launch->state.cooperative != 0) {
    grid->end_cooperative_block();
  }
  for (size_t i = 0; i < live_.size(); ++i) {
    if (live_[i] == block) {
      live_.erase(live_.begin() + static_cast<ptrdiff_t>(i));
      break;
    }
  }
  idle_blocks_.push_back(block);
  stalled_turns_ = 0;
  if (grid == chunk_.grid && grid->cancelled.load(std::memory_order_acquire)) {
    chunk_.ended += chunk_.end - chunk_.begin;
    chunk_.begin = chunk_.end;
  }
  count_ended(grid);
}

/// Reports ended blocks to their grid, those of a chunk, or of all that a member takes, together with the last.
void Worker::count_ended(Grid *grid) {
  if (grid != chunk_.grid) {
    grid->end_blocks(1);
    return;
  }
  ++chunk_.ended;
  if (chunk_.begin == chunk_.end && !take_more()) {
    leave_grid();
  }
}

/// Who asks the queue for blocks.
Taker Worker::taker() const {
  if (order_ != nullptr) {
    return {DealFor::Helper, index_, order_->owner};
  }
  const bool crowded = fibers_out_ >= kFibersPerWorker || live_.size() >= kBlocksPerWorker;
  const bool rests = WorkQueue::instance().rests(index_);
  return {crowded ? DealFor::Crowded : rests ? DealFor::Resting : DealFor::Worker, index_, nullptr};
}

/// A member's next blocks, to start at once.
bool Worker::take_more() {
  return chunk_.member && live_.empty() && (order_ == nullptr || order_->stands()) &&
         WorkQueue::instance().deal_more(taker(), &chunk_);
}

void Worker::leave_grid() {
  const Chunk left = std::exchange(chunk_, {});
  if (left.member) {
    WorkQueue::instance().leave(left.grid);
  }
  if (const uint64_t count = left.ended + (left.member ? 1 : 0); count != 0) {
    left.grid->end_blocks(count);
  }
}

/// Starts a block: the next of the chunk, else the first of a new one. False if there is none.
bool Worker::start_block() {
  if (chunk_.begin == chunk_.end) {
    leave_grid();
    if (!WorkQueue::instance().deal(taker(), &chunk_)) {
      return false;
    }
  }
  return start_next();
}

bool Worker::start_next() {
  if (chunk_.begin == chunk_.end) {
    return false;
  }
  Grid *grid = chunk_.grid;
  const uint64_t index = chunk_.begin++;
  if (idle_blocks_.empty()) {
    all_blocks_.push_back(std::make_unique<BlockRun>());
    idle_blocks_.push_back(all_blocks_.back().get());
  }
  BlockRun *block = idle_blocks_.back();
  idle_blocks_.pop_back();
  live_.push_back(block);
  if (!block->start(this, grid, index)) {
    grid->cancel(report_no_memory(*grid), "");
  }
  return true;
}

uint32_t Worker::take_following(const Grid *grid, uint64_t index, uint32_t most) {
  if (chunk_.grid != grid || chunk_.begin != index || grid->cancelled.load(std::memory_order_relaxed)) {
    return 0;
  }
  const auto count = static_cast<uint32_t>(std::min<uint64_t>(chunk_.end - chunk_.begin, most));
  chunk_.ended += count;
  chunk_.begin += count;
  return count;
}

/// Every live block waits, and there is nothing else to do.
void Worker::relax() {
  if (stalled_turns_ < kPausingTurns) {
    _mm_pause();
    stalled_since_ = stalled_turns_ == 1 ? nanoseconds() : stalled_since_;
    return;
  }
  if (stalled_turns_ % kTurnsPerCheck == 0) {
    warn_of_stall();
  }
  if (stalled_turns_ > kNappingTurns && resumes_ == resumes_at_stall_) {
    const timespec nap = {0, 20'000};
    nanosleep(&nap, nullptr);
    return;
  }
  if (const uint64_t now = __rdtsc(); now - last_offer_ > kOfferCycles) {
    last_offer_ = now;
    sched_yield();
  }
}

/// Threads that wait at a barrier for others that spin may be a deadlock, or wait for something outside of this worker:
/// nobody can tell. After the grace period, and if the program itself waits, it is said once.
void Worker::warn_of_stall() {
  const long grace = settings().barrier_grace_ms;
  if (!WorkerPool::instance().host_waits() ||
      nanoseconds() - stalled_since_ < static_cast<uint64_t>(grace) * 1'000'000) {
    return;
  }
  for (const BlockRun *block : live_) {
    if (block->grid()->warned.load(std::memory_order_relaxed)) {
      continue;
    }
    const std::string text = describe_stall(*block, grace);
    if (!text.empty() && !block->grid()->warned.exchange(true)) {
      fprintf(stderr, "helicon: warning: %s\n", text.c_str());
    }
  }
}

}  // namespace hel::cpu::exec
