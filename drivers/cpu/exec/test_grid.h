// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the unit tests of the engine: kernels are plain functions, launched and waited for in one call.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>

#include "abi/engine.h"
#include "abi/kernel.h"
#include "abi/thread.h"
#include "drivers/cpu/exec/launch.h"
#include "drivers/cpu/exec/worker_pool.h"

namespace hel::cpu::exec {

/// A launch with its own KernelInfo and a place to wait.
struct TestGrid {
  abi::KernelInfo info{};
  GridLaunch launch;
  std::atomic<uint32_t> ended{0};
  std::unique_ptr<FaultReport> fault;

  TestGrid(abi::ThreadEntry entry, abi::Dim3 grid, abi::Dim3 block, const void *argument = nullptr,
           uint32_t flags = abi::kKernelCanWait | abi::kKernelUsesBarrier) {
    info.name = "test_kernel";
    info.thread_entry = entry;
    info.flags = flags;
    launch.state.grid = grid;
    launch.state.block = block;
    launch.state.cluster = {1, 1, 1};
    launch.state.kernel = &info;
    launch.params.resize(sizeof(argument));
    memcpy(launch.params.data(), &argument, sizeof(argument));
  }
  void start() {
    ended.store(0);
    start_grid(&launch, on_done, this);
  }
  void wait() { WorkerPool::instance().help_while(ended, 0); }
  FaultReport *run() {
    start();
    wait();
    return fault.get();
  }

private:
  static void on_done(void *user, std::unique_ptr<FaultReport> fault) {
    auto *self = static_cast<TestGrid *>(user);
    self->fault = std::move(fault);
    self->ended.store(1);
    self->ended.notify_all();  // the object may be gone: only the address is used
  }
};

/// The kernel's one argument.
template <typename T> T *argument_of(const void *params) {
  T *argument;
  memcpy(&argument, params, sizeof(argument));
  return argument;
}

inline uint32_t linear_thread() {
  const abi::ThreadState &t = *__hl_thread;
  return t.warp * 32 + t.lane;
}

inline uint32_t linear_block() {
  const abi::ThreadState &t = *__hl_thread;
  return t.ctaid.x + t.nctaid.x * (t.ctaid.y + t.nctaid.y * t.ctaid.z);
}

inline uint32_t global_thread() { return linear_block() * __hl_thread->ntid.x + __hl_thread->tid.x; }

}  // namespace hel::cpu::exec
