// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one OS thread needs to run blocks: fibers, block runs, the stack of its own that fibers return to. Workers of
// the pool have one, and so has each host thread that ever helped. Nothing in here is shared between threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_value.h"
#include "drivers/cpu/exec/block_run.h"

namespace hel::cpu::exec {

/// A fault of the fiber that ran last. Filled on that fiber, in a signal handler or by raise_fault.
struct Fault {
  int code = 0;    ///< CUresult; 0: none
  int signal = 0;  ///< 0: raised by an engine function
  int signal_code = 0;
  bool write = false;
  const void *address = nullptr;
  const void *place = nullptr;  ///< code address
  std::string what;             ///< signal == 0
  std::string message;          ///< a line for stderr (assert)
};

/// Blocks of a grid that were dealt to a worker.
struct Chunk {
  Grid *grid = nullptr;
  uint64_t begin = 0;  ///< the next one to start
  uint64_t end = 0;
  uint64_t ended = 0;  ///< ended, but not yet reported to the grid
  bool member =
      false;  ///< the grid does not end before the worker leaves it: it may take further blocks without the queue
  uint64_t dealt = 0;  ///< blocks that were dealt last,
  uint64_t since = 0;  ///< and when: time stamp counter
};

enum class DealFor : uint8_t {
  Worker,
  Crowded,  ///< a worker that has many live threads: only what must be live together
  Resting,  ///< a worker that rests (see WorkQueue::rests): only grids that can wait, which no helper takes
  Helper,   ///< a host thread: only grids that cannot wait
};

/// Who asks for blocks.
struct Taker {
  DealFor whom;
  uint32_t index;     ///< of the worker, or of the one in whose place a host thread helps
  const void *owner;  ///< only grids of this owner; null: any
};

/// For how long a host thread helps, and whom: while `word` has `value`, the grids of `owner` (null: any).
struct HelpOrder {
  const std::atomic<uint32_t> &word;
  uint32_t value;
  const void *owner;

  bool stands() const { return word.load(std::memory_order_acquire) == value; }
};

class Worker {
public:
  /// `index`: of the multiprocessor that device code sees.
  explicit Worker(uint32_t index);
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// The running OS thread's, or null.
  static Worker *current() { return current_; }
  /// Makes this worker the running OS thread's and prepares the thread for faults.
  void bind_to_thread();

  /// A worker thread's life.
  [[noreturn]] void run();
  /// A host thread runs some blocks of one grid to their end; as a member of the grid (with an order), further ones
  /// while the order stands.
  void run_chunk(const Chunk &chunk, const HelpOrder *order = nullptr);
  bool busy() const { return busy_; }
  /// Has no blocks, and runs none.
  bool idle() const {
    return !busy_ && running_ == nullptr && live_.empty() && chunk_.begin == chunk_.end && chunk_.ended == 0;
  }

  // For BlockRun:
  Fiber *take_fiber(int stack_class);
  void give_fiber(Fiber *f);   ///< idle, between two threads
  void reset_fiber(Fiber *f);  ///< gives up what it was doing
  /// Runs f, and those that it hands over to. Returns the one that came back, for the reason in its `event`.
  Fiber *resume(Fiber *f);
  uint32_t index() const { return index_; }

  // On a fiber of this worker:
  /// Takes up to `most` blocks from `index` on, if that is the next of the worker's chunk. How many.
  uint32_t take_following(const Grid *grid, uint64_t index, uint32_t most);
  FiberContext &home_context() { return home_; }
  static void leave(Fiber *f, FiberEvent event);
  void hand_over(Fiber *from, Fiber *to);
  /// Runs function(argument) on the worker's own stack (the fiber's is small).
  void call_at_home(void (*function)(void *), void *argument) { call_on_stack(home_, function, argument); }
  std::string &scratch() { return scratch_; }

  // For the fault handler:
  Fiber *running() const { return running_; }
  Fault &fault() { return fault_; }
  void *home_stack() const { return home_.sp; }

private:
  static HEL_THREAD_LOCAL constinit Worker *current_;
  bool turn();
  bool run_block(BlockRun *block);
  bool start_block();
  bool start_next();
  void end_block(BlockRun *block, bool dropped);
  void count_ended(Grid *grid);
  Taker taker() const;
  bool take_more();
  void leave_grid();
  void report(BlockRun *block, RoundResult result);
  void relax();
  void warn_of_stall();

  const uint32_t index_;
  FiberContext home_;
  Fiber *running_ = nullptr;
  Fault fault_;
  std::string scratch_;
  bool busy_ = false;
  const HelpOrder *order_ = nullptr;  ///< of a host thread that helps
  Chunk chunk_;
  std::vector<BlockRun *> live_;
  std::vector<BlockRun *> idle_blocks_;
  std::vector<std::unique_ptr<BlockRun>> all_blocks_;
  std::vector<Fiber *> idle_fibers_[kStackClasses];
  uint32_t fibers_out_ = 0;  ///< taken and not given back
  uint64_t resumes_ = 0;
  uint32_t stalled_turns_ = 0;  ///< in a row
  uint64_t resumes_at_stall_ = 0;
  uint64_t stalled_since_ = 0;  ///< nanoseconds
  uint64_t last_offer_ = 0;     ///< of the processor to other threads: time stamp counter
};

/// Ends the running CUDA thread, and with it the grid: called on a fiber. `message` goes to stderr as it is.
[[noreturn]] void raise_fault(Fiber *f, int code, const char *what, const char *message = nullptr);

}  // namespace hel::cpu::exec
