// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warp-engine code sees of the block it runs. The engine fills one BlockState a block; the code of a kernel gets
// it as an argument. One warp runs at a time on an OS thread.
#pragma once

#include "abi/thread.h"

namespace hel::abi {

struct BlockState {
  Dim3 ctaid;
  uint32_t thread_count;    ///< threads of the block
  uint8_t *shared;          ///< the block's shared window
  uint8_t *dynamic_shared;  ///< where the extern __shared__ arrays start
  /// Stands for the lane that scalar code runs for: `__hl_thread` points here while the block runs. Compiled code sets
  /// tid and lane before it calls a function that may ask.
  ThreadState *lane_state;
  void *engine;  ///< the engine's own
  uint32_t warps;  ///< kKernelPhases: which run now: the number of the first, and in the upper half how many
  uint32_t much;   ///< bytes: if every thread of the launch writes so many, no cache holds them
  uint32_t blocks;  ///< how many one call runs: this one and those that follow it, whose ctaid compiled code sets here
                    ///< and in lane_state
};

}  // namespace hel::abi
