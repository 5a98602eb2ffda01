// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid in execution: what is dealt out, what has ended, its fault and its output.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/mutex.h"
#include "drivers/cpu/exec/device_printf.h"
#include "drivers/cpu/exec/launch.h"

namespace hel::cpu::exec {

struct Grid {
  GridLaunch *launch = nullptr;
  GridDone done = nullptr;
  void *user = nullptr;
  uint64_t blocks = 0;
  uint32_t much = 0;  ///< abi::BlockState::much
  int stack_class = 0;
  bool by_warps = false;  ///< warp engine; else thread engine
  bool one_call = false;  ///< warp engine: no warp waits, so that one call runs all warps of a block
  bool can_wait = false;  ///< a block may wait for another block (or for the host)
  // Warp engine, if one_call and not can_wait:
  uint32_t blocks_a_call = 1;   ///< at most so many are run by one call
  uint32_t most_following = 0;  ///< and so many behind the first, before others get their turn
  // The blocks of a chunk that is dealt out, if there are as many:
  uint64_t least_dealt = 1, most_dealt = 1;

  // The pool's (worker_pool.cpp), under its lock:
  uint64_t next_block = 0;  ///< blocks from here on are not dealt out yet
  Grid *next = nullptr;

  std::atomic<uint64_t> unfinished{0};  ///< blocks that have not ended
  std::atomic<bool> cancelled{false};   ///< live blocks are to be dropped
  std::atomic<bool> warned{false};      ///< that a block makes no progress

  // Grid-wide barrier of a cooperative launch.
  std::atomic<uint64_t> phase{0};  ///< changes when all blocks have arrived
  Mutex mutex;
  uint64_t arrived HEL_GUARDED_BY(mutex) = 0;
  uint64_t ended HEL_GUARDED_BY(mutex) = 0;
  std::unique_ptr<FaultReport> fault HEL_GUARDED_BY(mutex);
  std::string message HEL_GUARDED_BY(mutex);

  PrintfOutput output;

  /// A block arrives at the grid-wide barrier in `*phase`; true if it was the last one.
  bool arrive(uint64_t *phase);
  /// Ends the grid early; the first report counts. `message` is for stderr, after the output of printf.
  void cancel(std::unique_ptr<FaultReport> report, const std::string &message);
  /// Called for blocks that have ended or were dropped; finishes the grid with the last one.
  void end_blocks(uint64_t count);
  /// Called for each block of a cooperative grid that has ended: others may now wait in vain.
  void end_cooperative_block();
};

}  // namespace hel::cpu::exec
