// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The door to the engines: starts a grid on the worker pool and reports its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abi/image.h"
#include "abi/kernel.h"
#include "abi/thread.h"

namespace hel::cpu::exec {

class DeviceHeap;

/// One launch. The caller fills it, has checked all limits, and keeps it alive and unchanged until `done` is called.
struct GridLaunch {
  /// grid, block, cluster, static/dynamic_shared_bytes, cooperative, kernel. start_grid sets params and grid_id.
  abi::LaunchState state{};
  std::vector<uint8_t> params;                             ///< laid out by the kernel's ParamInfo
  const char *kernel_name = nullptr;                       ///< mangled; null: the KernelInfo's
  abi::ImageLanguage language = abi::ImageLanguage::Cuda;  ///< spelling of messages
  size_t stack_bytes = 1024;      ///< cudaLimitStackSize; the engine gives a multiple, 64 KiB at least
  size_t printf_bytes = 1 << 20;  ///< cudaLimitPrintfFifoSize: output beyond it is written before the kernel's end
  DeviceHeap *heap = nullptr;     ///< of the context; null: a heap of the process
  void *image = nullptr;          ///< dlopen handle of the kernel's image, for source lines in reports
  const void *owner = nullptr;    ///< what WorkerPool::help_while selects by, e.g. the stream
  int priority = 0;               ///< of the stream: blocks of lower numbers start first
};

/// What is the same each time that a kernel is launched in one shape.
struct GridTraits {
  uint64_t blocks = 0;
  uint32_t much = 0;  ///< abi::BlockState::much
  int stack_class = 0;
  bool by_warps = false;  ///< warp engine; else thread engine
  bool one_call = false;  ///< warp engine: no warp waits, so that one call runs all warps of a block
  bool can_wait = false;  ///< a block may wait for another block (or for the host)
  // Warp engine, if one_call and not can_wait:
  uint32_t most_following = 0;  ///< at most so many are run behind the first, before others get their turn
  // The blocks of a chunk that is dealt out, if there are as many:
  uint64_t least_dealt = 1, most_dealt = 1;
};

/// What ended a launch early. `code` is a CUresult: illegal address, assert, launch failed, …
struct FaultReport {
  int code;
  std::string text;  ///< kernel, block, thread, address, source line; one or more lines, no full stop, no line end
};

using GridDone = void (*)(void *user, std::unique_ptr<FaultReport> fault);

/// Queues the grid and returns at once; a tiny one that is known to end soon (abi::kKernelBrief) runs here and now.
/// `done` is called once, on the thread that ran the last block with nothing locked, after the output of printf is
/// written; the launch may be freed in it.
void start_grid(GridLaunch *launch, GridDone done, void *user);

/// The same, but never here and now.
void queue_grid(GridLaunch *launch, GridDone done, void *user);

/// The traits of a launch that may be run in the thread that asks for it: its blocks cannot wait for others. Of others
/// nothing.
std::optional<GridTraits> traits_to_run_here(const GridLaunch &launch);

inline constexpr uint64_t kTinyThreads = 1024;
/// Has at most so many threads, ends so soon that handing it to another thread would take longer, and waits for nobody.
bool is_tiny(const GridLaunch &launch, const GridTraits &traits);

/// Runs a grid with these traits to its end in the calling thread, without any queue, if the thread runs no blocks
/// already. `done` is called before it returns. False: nothing was done; start_grid will do it.
bool run_grid_here(GridLaunch *launch, const GridTraits &traits, GridDone done, void *user);

/// Threads that a cooperative grid may have on this machine, so that all are live together.
uint64_t max_cooperative_threads();

/// What a fault report may ask of the rest of the driver; null members are not asked.
struct FaultHooks {
  /// What lies at or near an address, e.g. "4 bytes after the 400-byte allocation at 0x…"; empty if unknown.
  std::string (*describe_address)(const void *address) = nullptr;
};
void set_fault_hooks(const FaultHooks &hooks);

}  // namespace hel::cpu::exec
