// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block in execution: its threads or warps on fibers, its barriers and the meetings of its warps.
//
// Thread engine: a fiber runs threads one after the other until one of them waits; only then the worker takes a further
// fiber for the next thread. A block that never waits thus needs one fiber, a block with a barrier one for each thread.
// Warp engine: the same with warps in place of threads; a warp arrives at a barrier with all its live lanes at once,
// and its lanes meet in compiled code. Warps that never wait are run by one call.
//
// Everything here belongs to the worker that runs the block: no locks. `Fiber`s and `BlockRun`s are reused.
#pragma once

#include <cstdint>

#include "abi/block.h"
#include "abi/engine.h"
#include "abi/thread.h"
#include "drivers/cpu/exec/fiber/fiber.h"
#include "drivers/cpu/exec/fiber/fiber_stack.h"
#include "drivers/cpu/exec/fiber/shared_window.h"

namespace hel::cpu::exec {

class BlockRun;
class Worker;
struct Grid;

inline constexpr uint32_t kWarpSize = 32;
inline constexpr uint32_t kMaxThreads = 1024;
/// PTX has 16; the others are for tiles of cooperative groups that are wider than a warp.
inline constexpr uint32_t kBarriers = 31;
inline constexpr uint32_t kGridBarrier = kBarriers;  ///< the block's part of a grid-wide barrier

/// Why a fiber gave control back to its worker.
enum class FiberEvent : uint8_t { Idle, Stopped, ThreadExited, Faulted };

enum class WaitKind : uint8_t { None, Barrier, Sync, Shuffle, Vote, Match, MatchAll, Redux, ActiveMask };

/// What a lane brings to a meeting of its warp, and what it takes home.
struct WarpOp {
  uint32_t mask = 0;  ///< of the lanes that meet; ActiveMask: the call site
  uint32_t mode = 0;  ///< HlShflMode, HlVoteMode, HlReduxOp
  uint64_t value = 0;
  uint32_t lane = 0;   ///< shuffle: PTX's b
  uint32_t clamp = 0;  ///< shuffle: PTX's c
  uint32_t result = 0;
  uint32_t predicate = 0;
};

/// What a switch touches stands together in the first cache line.
struct alignas(64) Fiber {
  FiberContext context;
  Fiber *next = nullptr;  ///< in the one queue that it is in
  Worker *worker = nullptr;
  BlockRun *block = nullptr;
  const void *place = nullptr;  ///< code address of the engine call that it is in
  uint32_t thread = 0;          ///< index in the block; warp engine: of the first lane
  uint32_t warp_end = 0;        ///< warp engine: runs the warps from its first one to here
  FiberEvent event = FiberEvent::Idle;
  WaitKind waits = WaitKind::None;
  bool yielded = false;    ///< gave way since it last did anything else
  bool in_thread = false;  ///< inside a CUDA thread, not between two
  uint8_t stack_class = 0;
  uint32_t barrier = 0;           ///< waits == Barrier: which
  uint32_t votes_true = 0;        ///< set by the barrier: threads whose predicate held,
  uint32_t votes_cast = 0;        ///< and threads that gave one
  abi::ThreadState state;         ///< what __hl_thread points to while the fiber runs
  abi::BlockState block_state{};  ///< what warp-engine code sees
  WarpOp op;
  FiberStack stack;
};

/// First in, first out.
struct FiberQueue {
  Fiber *head = nullptr;
  Fiber *tail = nullptr;
  uint32_t size = 0;

  void push(Fiber *f) {
    f->next = nullptr;
    (tail != nullptr ? tail->next : head) = f;
    tail = f;
    ++size;
  }
  Fiber *pop() {
    Fiber *f = head;
    head = f->next;
    tail = head != nullptr ? tail : nullptr;
    --size;
    return f;
  }
};

struct Barrier {
  uint32_t expected = 0;    ///< 0: every live thread of the block
  uint32_t arrived = 0;     ///< threads
  uint32_t predicates = 0;  ///< of them, with a true predicate
  uint32_t voters = 0;      ///< of them, with any predicate
  FiberQueue waiting;
  uint32_t lanes[kMaxThreads / kWarpSize] = {};  ///< expected != 0: who arrived, by warp
};

struct Warp {
  uint32_t live = 0;      ///< lanes that have not exited (not yet started ones live)
  uint32_t waiting = 0;   ///< lanes in a warp operation
  uint32_t asking = 0;    ///< of them, those in activemask
  uint32_t patience = 0;  ///< rounds in which the other lanes did nothing but yield
  Fiber *lanes[kWarpSize] = {};
};

enum class RoundResult : uint8_t {
  Progress,  ///< go on
  Stalled,   ///< some thread gave way, or the block waits for other blocks: let others run as well
  Finished,  ///< every thread has ended
  Stuck,     ///< no thread can ever go on
  Faulted,   ///< the worker's fault tells
  NoMemory,  ///< no stack for a further fiber
};

class BlockRun {
public:
  /// False if there is no memory for the block's shared window.
  bool start(Worker *worker, Grid *grid, uint64_t block_index);
  /// Runs every thread that can run once, until it ends, waits or gives way.
  RoundResult run_round();
  /// Drops all threads where they stand.
  void abandon();

  // Called on a fiber of this block:
  bool begin_next(Fiber *self);  ///< takes the next thread or warps; false if all have started
  void end_thread(Fiber *self);
  void end_warps(Fiber *self);
  bool follow(Fiber *self);  ///< goes on with other blocks, all of whose warps `self` runs
  /// `voters` of the arriving threads give a predicate, `predicates` of them a true one.
  void wait_at_barrier(Fiber *self, uint32_t id, uint32_t threads, uint32_t voters, uint32_t predicates);
  void arrive_at_barrier(Fiber *self, uint32_t id, uint32_t threads);
  void meet(Fiber *self, WaitKind kind);  ///< self->op is filled
  void give_way(Fiber *self);

  bool by_warps() const { return by_warps_; }
  Grid *grid() const { return grid_; }
  uint64_t index() const { return index_; }
  uint32_t live_threads() const { return live_; }
  uint32_t thread_count() const { return threads_; }
  const abi::Dim3 &coordinates() const { return prototype_.ctaid; }
  const Fiber *faulted() const { return faulted_; }
  const Warp &warp(uint32_t i) const { return warps_[i]; }


private:
  void begin_warps(Fiber *self);
  void stop(Fiber *self);
  void wait(Fiber *self);
  void release(Fiber *f);
  bool run_fiber(Fiber *f);
  Fiber *next_ready();
  void attach(Fiber *f);
  uint32_t take_blocks();
  // barrier.cpp
  bool register_arrival(Fiber *self, uint32_t id, uint32_t threads);
  bool barrier_is_full(const Barrier &b) const;
  void open_barrier(Barrier &b);
  bool enter_grid_barrier();
  void check_grid_barrier();
  void recheck_barriers();
  // warp_rendezvous.cpp
  bool try_meeting(Warp &w, WaitKind kind, uint32_t mask, const Fiber *last);
  void recheck_meetings(Warp &w);
  void answer_warp(Warp &w);
  bool answer_activemask();

  Worker *worker_ = nullptr;
  Grid *grid_ = nullptr;
  uint64_t index_ = 0;
  uint32_t threads_ = 0;
  uint32_t live_ = 0;
  uint32_t started_ = 0;
  uint32_t followed_ = 0;  ///< blocks that were run here since start()
  bool by_warps_ = false;  ///< warp engine
  abi::Dim3 next_tid_{};
  uint32_t used_barriers_ = 0;  ///< bit i: barrier i has arrivals
  uint32_t asking_warps_ = 0;   ///< bit i: warp i has lanes in activemask
  bool waits_for_grid_ = false;
  uint64_t grid_phase_ = 0;
  FiberQueue ready_;
  uint32_t turns_left_ = 0;  ///< ready fibers that have not run in this round
  bool gave_way_ = false;    ///< in this round
  Fiber *faulted_ = nullptr;
  SharedWindow window_;
  abi::ThreadState prototype_{};
  Warp warps_[kMaxThreads / kWarpSize];
  Barrier barriers_[kBarriers + 1];
};

}  // namespace hel::cpu::exec
