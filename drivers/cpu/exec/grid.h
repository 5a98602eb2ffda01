// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid in execution: what is dealt out, what has ended, its fault and its output.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/mutex.h"
#include "drivers/cpu/exec/block_shares.h"
#include "drivers/cpu/exec/device_printf.h"
#include "drivers/cpu/exec/launch.h"

namespace hel::cpu::exec {

struct Grid : GridTraits {
  enum class Storage : uint8_t {
    Heap,    ///< its end deletes it
    Caller,  ///< who runs it to its end has it on the stack
  };
  Grid(const GridTraits &traits, GridLaunch *launch, GridDone done, void *user, Storage storage)
      : GridTraits(traits), launch(launch), done(done), user(user), storage(storage), unfinished(traits.blocks) {}

  GridLaunch *const launch;
  const GridDone done;
  void *const user;
  const Storage storage;

  // The queue's (work_queue.cpp):
  std::optional<BlockShares> undealt;  ///< none for a grid that runs without the queue
  std::atomic<bool> listed{false};     ///< in the queue; changed under its lock
  Grid *next = nullptr;                ///< under its lock

  std::atomic<uint64_t> unfinished;     ///< blocks that have not ended, and members (Chunk) that have not left
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
