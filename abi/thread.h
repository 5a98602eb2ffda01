// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a running CUDA thread sees of itself. The thread engine fills one ThreadState a fiber; compiled code reads it
// through `__hl_thread`. A fiber never moves to another OS thread and its ThreadState never moves, so that the pointer
// is constant for the whole life of a CUDA thread (the compiler relies on it).
#pragma once

#include <cstdint>

namespace hel::abi {

struct KernelInfo;

struct Dim3 {
  uint32_t x, y, z;
};

/// The same for all threads of a launch.
struct LaunchState {
  Dim3 grid;     ///< blocks
  Dim3 block;    ///< threads
  Dim3 cluster;  ///< blocks in a cluster; 1,1,1 without clusters
  uint32_t static_shared_bytes;
  uint32_t dynamic_shared_bytes;
  uint32_t cooperative;  ///< 1: all blocks of the grid are live together
  uint64_t grid_id;      ///< unique in the process
  const void *params;
  const KernelInfo *kernel;
};

struct ThreadState {
  Dim3 tid;
  Dim3 ctaid;
  Dim3 ntid;
  Dim3 nctaid;
  uint32_t lane;            ///< 0 to 31
  uint32_t warp;            ///< index of the warp in the block
  uint8_t *shared;          ///< the block's shared window; static variables are at fixed offsets in it
  uint8_t *dynamic_shared;  ///< where the extern __shared__ arrays start
  const LaunchState *launch;
  void *engine;  ///< the engine's own
};

static_assert(sizeof(ThreadState) == 88);

}  // namespace hel::abi

/// The CUDA thread that runs on this OS thread; null outside kernels. Initial-exec TLS, exported by libhelicon.
extern "C" constinit __attribute__((tls_model("initial-exec"))) thread_local hel::abi::ThreadState *__hl_thread;
