// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/launch.h"

#include <cuda.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/cache_size.h"
#include "base/log.h"
#include "base/result.h"
#include "base/settings.h"
#include "drivers/cpu/exec/fault/fault_report.h"
#include "drivers/cpu/exec/grid.h"
#include "drivers/cpu/exec/work_queue.h"

namespace hel::cpu::exec {
namespace {

constexpr size_t kStackFactor = 4;  // frames here are larger than on a GPU: every register lives in memory at a call

/// In a cache line of its own: each launch writes it, and what stands beside it is read by threads that wait.
struct alignas(64) GridIds {
  std::atomic<uint64_t> last{0};
};
GridIds grid_ids;

size_t stack_bytes(const GridLaunch &launch, bool by_warps) {
  if (by_warps) {  // the functions that a lane calls have a stack to themselves beyond what the block needs
    return size_t{launch.state.kernel->block_stack_bytes} +
           std::max<size_t>(launch.stack_bytes * kStackFactor, 64 << 10);
  }
  return std::max(launch.stack_bytes * kStackFactor, size_t{launch.state.kernel->local_bytes} + (32 << 10));
}

/// Ends a launch that no engine can run. Asynchronously, as every other end.
struct Refusal {
  GridDone done;
  void *user;
  std::unique_ptr<FaultReport> report;
};

void refuse(GridDone done, void *user, int code, std::string text) {
  auto *refusal = new Refusal{done, user, std::make_unique<FaultReport>(FaultReport{code, std::move(text)})};
  WorkerPool::instance().submit({[](void *argument) {
                                   const std::unique_ptr<Refusal> r(static_cast<Refusal *>(argument));
                                   r->done(r->user, std::move(r->report));
                                 },
                                 refusal});
}

uint64_t volume(const abi::Dim3 &size) { return uint64_t{size.x} * size.y * size.z; }

/// The kernel has code of the warp engine for blocks like those of the launch.
bool has_code_for(const abi::LaunchState &state) {
  const uint32_t flags = state.kernel->flags;
  const bool whole_rows = state.block.x % 32 == 0, one_row = uint64_t{state.block.y} * state.block.z == 1;
  const bool in_rows =
      whole_rows ? one_row || (flags & abi::kKernelWholeRows) != 0 : one_row && (flags & abi::kKernelWholeWarps) == 0;
  return state.kernel->block_entry != nullptr &&
         ((flags & abi::kKernelOneRow) == 0 || (in_rows && uint64_t{state.block.x} * state.grid.x <= abi::kMostInRow));
}

/// Why the launch has this engine, or not the kernel's best code; empty if there is nothing to say.
const char *note_of(const abi::LaunchState &state, bool by_warps) {
  const abi::KernelInfo &kernel = *state.kernel;
  if (!by_warps && has_code_for(state)) {
    return "HELICON_ENGINE";
  }
  const char *otherwise = by_warps ? "" : "it was compiled without one";
  return kernel.engine_note != nullptr ? kernel.engine_note : otherwise;
}

/// The warp engine where the compiler could widen the kernel for such blocks; HELICON_ENGINE forces one. Empty, or why
/// there is none.
std::string choose_engine(const abi::LaunchState &state, bool *by_warps) {
  const std::string &forced = settings().engine;
  *by_warps = has_code_for(state) && forced != "thread";
  if (forced.empty()) {
    return "";
  }
  if (forced == "warp" && !*by_warps) {
    return std::string("HELICON_ENGINE=warp: the kernel has no code for this engine: ") + note_of(state, false);
  }
  if (forced != "warp" && forced != "thread") {
    return "HELICON_ENGINE=" + forced + ": there is no such engine (thread, warp)";
  }
  return "";
}

bool is_brief(const abi::LaunchState &state) { return (state.kernel->flags & abi::kKernelBrief) != 0; }

bool cannot_wait(const abi::LaunchState &state) {
  return (state.kernel->flags & abi::kKernelCanWait) == 0 && state.cooperative == 0;
}

/// How many bytes each thread has to write for the launch to write more than the last cache holds.
uint32_t much_for_a_thread(uint64_t threads) {
  return static_cast<uint32_t>(std::min<uint64_t>(last_cache_bytes() / threads + 1, UINT32_MAX));
}

/// How many blocks go together. Those that are known to end soon are dealt out by so many that taking them does not
/// take longer than running them.
void set_shares(const abi::LaunchState &state, GridTraits &traits) {
  constexpr uint64_t kMostDealt = 64, kMostBriefDealt = 1024, kBriefThreads = 8192;
  const bool brief = is_brief(state);
  traits.most_dealt = brief ? kMostBriefDealt : kMostDealt;
  traits.least_dealt = brief ? std::clamp<uint64_t>(kBriefThreads / volume(state.block), 1, kMostDealt) : 1;
  traits.most_following = static_cast<uint32_t>(traits.most_dealt);
}

GridTraits traits_of(const GridLaunch &launch, bool by_warps) {
  const abi::LaunchState &state = launch.state;
  GridTraits traits;
  traits.blocks = volume(state.grid);
  traits.much = much_for_a_thread(traits.blocks * volume(state.block));
  traits.by_warps = by_warps;
  traits.one_call = (state.kernel->flags & abi::kKernelPhases) != 0 ||
                    (state.kernel->flags & (abi::kKernelWarpsMeet | abi::kKernelCanWait)) == 0;
  traits.stack_class = stack_class(stack_bytes(launch, by_warps));
  traits.can_wait = !cannot_wait(state);
  set_shares(state, traits);
  return traits;
}

const char *reason_of(const Grid &grid) { return note_of(grid.launch->state, grid.by_warps); }

void log_grid(const Grid &grid) {
  HEL_LOG(engine, 1, "kernel=%s engine=%s can_wait=%d stack=%zu%s%s", kernel_title(grid).c_str(),
          grid.by_warps ? "warp" : "thread", grid.can_wait, stack_class_bytes(grid.stack_class),
          *reason_of(grid) == '\0' ? "" : " reason=", reason_of(grid));
}

/// The launch gets what belongs to this run of it. Once the workers are there: faults are seen to from then on.
void begin_launch(GridLaunch &launch) {
  launch.state.params = launch.params.data();
  launch.state.grid_id = grid_ids.last.fetch_add(1, std::memory_order_relaxed) + 1;
  WorkerPool::instance().ensure_started();
}

/// False when it was refused.
bool choose_traits(const GridLaunch &launch, GridTraits *traits, GridDone done, void *user) {
  const abi::LaunchState &state = launch.state;
  HEL_ENSURE(volume(state.grid) > 0 && state.kernel != nullptr && state.kernel->thread_entry != nullptr,
             "launch is not checked");
  bool by_warps = false;
  if (std::string refusal = choose_engine(state, &by_warps); !refusal.empty()) [[unlikely]] {
    refuse(done, user, CUDA_ERROR_NOT_SUPPORTED, std::move(refusal));
    return false;
  }
  *traits = traits_of(launch, by_warps);
  return true;
}

void add_grid(GridLaunch *launch, const GridTraits &traits, GridDone done, void *user) {
  begin_launch(*launch);
  auto *grid = new Grid(traits, launch, done, user, Grid::Storage::Heap);
  log_grid(*grid);
  WorkQueue::instance().add_grid(grid);
}

}  // namespace

void start_grid(GridLaunch *launch, GridDone done, void *user) {
  GridTraits traits;
  if (choose_traits(*launch, &traits, done, user) &&
      !(is_tiny(*launch, traits) && run_grid_here(launch, traits, done, user))) {
    add_grid(launch, traits, done, user);
  }
}

void queue_grid(GridLaunch *launch, GridDone done, void *user) {
  if (GridTraits traits; choose_traits(*launch, &traits, done, user)) {
    add_grid(launch, traits, done, user);
  }
}

bool is_tiny(const GridLaunch &launch, const GridTraits &traits) {
  return is_brief(launch.state) && !traits.can_wait && traits.blocks * volume(launch.state.block) <= kTinyThreads;
}

std::optional<GridTraits> traits_to_run_here(const GridLaunch &launch) {
  bool by_warps = false;
  if (!cannot_wait(launch.state) || !choose_engine(launch.state, &by_warps).empty()) {
    return std::nullopt;
  }
  return traits_of(launch, by_warps);
}

bool run_grid_here(GridLaunch *launch, const GridTraits &traits, GridDone done, void *user) {
  Worker *worker = WorkerPool::instance().idle_worker();
  if (worker == nullptr) {
    return false;
  }
  begin_launch(*launch);
  Grid grid(traits, launch, done, user, Grid::Storage::Caller);
  log_grid(grid);
  worker->run_chunk({&grid, 0, grid.blocks});
  return true;
}

uint64_t max_cooperative_threads() {
  const auto pages = static_cast<uint64_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  return std::min(stack_limit(), pages / 8);  // a waiting thread uses about two pages; half of the memory is left
}

bool Grid::arrive(uint64_t *at) {
  std::unique_ptr<FaultReport> report;
  {
    Lock lock(mutex);
    *at = phase.load(std::memory_order_relaxed);
    if (++arrived == blocks) {
      arrived = 0;
      phase.fetch_add(1, std::memory_order_release);
      return true;
    }
    if (arrived + ended == blocks) {
      report = report_grid_deadlock(*this, arrived, ended);
    }
  }
  if (report != nullptr) {
    cancel(std::move(report), "");
  }
  return false;
}

void Grid::end_cooperative_block() {
  std::unique_ptr<FaultReport> report;
  {
    Lock lock(mutex);
    if (++ended + arrived == blocks && arrived > 0) {
      report = report_grid_deadlock(*this, arrived, ended);
    }
  }
  if (report != nullptr) {
    cancel(std::move(report), "");
  }
}

void Grid::cancel(std::unique_ptr<FaultReport> report, const std::string &text) {
  {
    Lock lock(mutex);
    if (fault != nullptr) {
      return;
    }
    fault = std::move(report);
    message = text;
  }
  cancelled.store(true, std::memory_order_release);
  const uint64_t undealt = WorkQueue::instance().withdraw(this);
  unfinished.fetch_sub(undealt, std::memory_order_acq_rel);  // never the last: the caller's block is unfinished
}

void Grid::end_blocks(uint64_t count) {
  // Where these are all that is left, nobody else counts.
  if (unfinished.load(std::memory_order_acquire) != count &&
      unfinished.fetch_sub(count, std::memory_order_acq_rel) != count) {
    return;
  }
  output.flush();
  std::unique_ptr<FaultReport> report;
  if (cancelled.load(std::memory_order_acquire)) {
    Lock lock(mutex);
    report = std::move(fault);
    if (!message.empty()) {
      fputs(message.c_str(), stderr);
    }
  }
  const GridDone call = done;
  void *const argument = user;
  if (storage == Storage::Heap) {
    delete this;
  }
  call(argument, std::move(report));
}

}  // namespace hel::cpu::exec
