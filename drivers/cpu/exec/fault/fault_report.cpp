// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/fault/fault_report.h"

#include <cuda.h>
#include <signal.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "abi/kernel.h"
#include "base/result.h"
#include "drivers/cpu/exec/fault/code_place.h"
#include "drivers/cpu/exec/grid.h"

namespace hel::cpu::exec {
namespace {

std::string (*describe_address)(const void *address) = nullptr;

std::string coordinates(const abi::Dim3 &d) { return format("(%u,%u,%u)", d.x, d.y, d.z); }

std::string coordinates(uint32_t thread, const abi::Dim3 &block) {
  return coordinates({thread % block.x, thread / block.x % block.y, thread / block.x / block.y});
}

/// "thread (3,0,0)". Vector code of the warp engine runs for several; `exact`: its `tid` is that of the one concerned.
std::string describe_threads(const Fiber &fiber, bool exact) {
  if (exact || !fiber.block->by_warps()) {
    return "thread " + coordinates(fiber.state.tid);
  }
  const abi::Dim3 &block = fiber.state.ntid;
  const bool phases = (fiber.state.launch->kernel->flags & abi::kKernelPhases) != 0;
  const uint32_t warps = fiber.block_state.warps;
  const uint32_t begin = phases ? (warps & 0xffff) * kWarpSize : fiber.thread;
  const uint32_t end = phases ? begin + (warps >> 16) * kWarpSize : fiber.warp_end * kWarpSize;
  return "one of the threads " + coordinates(begin, block) + " to " +
         coordinates(std::min(end, block.x * block.y * block.z) - 1, block);
}

/// Also the kernel's form for the warp engine: "name [clone .block]".
bool is_kernel(const std::string &function, const Grid &grid) {
  const std::string title = kernel_title(grid);
  return function == title || function.compare(0, title.size() + 2, title + " [") == 0;
}

/// " in function(int) at file.cu:12", as far as it is known and not the kernel itself.
std::string describe_place(const Grid &grid, const void *place) {
  const CodePlace code = find_code_place(grid.launch->image, place);
  std::string text;
  if (!code.function.empty() && !is_kernel(code.function, grid)) {
    text += " in " + code.function;
  }
  if (!code.line.empty()) {
    text += " at " + code.line;
  }
  return text;
}

/// Of the call that returns to `place`.
std::string describe_call(const Grid &grid, const void *place) {
  return place == nullptr ? "" : describe_place(grid, static_cast<const char *>(place) - 1);
}

struct Verdict {
  int code;
  std::string what;
};

Verdict judge_memory(const Fault &fault, const Fiber &fiber) {
  if (fiber.stack.guards(fault.address)) {
    const char *prefix = fiber.block->grid()->launch->language == abi::ImageLanguage::Musa ? "musa" : "cuda";
    return {CUDA_ERROR_HARDWARE_STACK_ERROR,
            format("stack overflow (%zu bytes a thread; %sDeviceSetLimit with %sLimitStackSize gives more)",
                   stack_class_bytes(fiber.stack_class), prefix, prefix)};
  }
  const auto address = reinterpret_cast<uintptr_t>(fault.address);
  const char *access = fault.write ? "write to" : "read of";
  if (fault.signal == SIGBUS && fault.signal_code == BUS_ADRALN) {
    return {CUDA_ERROR_MISALIGNED_ADDRESS, format("misaligned %s address 0x%zx", access, address)};
  }
  if (fault.signal == SIGSEGV && fault.signal_code == SI_KERNEL) {
    return {CUDA_ERROR_ILLEGAL_ADDRESS, "access to an address that is not canonical"};
  }
  std::string what = format("%s illegal address 0x%zx", access, address);
  if (address < 4096) {
    what += " (a null pointer)";
  } else if (describe_address != nullptr) {
    const std::string near = describe_address(fault.address);
    what += near.empty() ? "" : " (" + near + ")";
  }
  return {CUDA_ERROR_ILLEGAL_ADDRESS, what};
}

Verdict judge(const Fault &fault, const Fiber &fiber) {
  switch (fault.signal) {
    case 0:
      return {fault.code, fault.what};
    case SIGSEGV:
    case SIGBUS:
      return judge_memory(fault, fiber);
    case SIGFPE:
      return {CUDA_ERROR_LAUNCH_FAILED, fault.signal_code == FPE_INTDIV
                                            ? "integer division by zero, or overflow in a division"
                                            : "arithmetic exception"};
    default:
      return {CUDA_ERROR_ILLEGAL_INSTRUCTION, "illegal instruction"};
  }
}

const char *operation(WaitKind kind) {
  switch (kind) {
    case WaitKind::Sync:
      return "a warp synchronisation";
    case WaitKind::Shuffle:
      return "a warp shuffle";
    case WaitKind::Vote:
      return "a warp vote";
    case WaitKind::Match:
    case WaitKind::MatchAll:
      return "a warp match";
    case WaitKind::Redux:
      return "a warp reduction";
    case WaitKind::ActiveMask:
      return "an active mask query";
    default:
      return "nothing";
  }
}

/// Threads that wait for the same thing at the same place.
struct WaitGroup {
  const Fiber *first;
  uint32_t threads;
};

bool same_wait(const Fiber &a, const Fiber &b) {
  return a.waits == b.waits && a.place == b.place &&
         (a.waits == WaitKind::Barrier ? a.barrier == b.barrier : a.op.mask == b.op.mask);
}

void add_to_groups(std::vector<WaitGroup> &groups, const Fiber &fiber, uint32_t threads) {
  for (WaitGroup &g : groups) {
    if (same_wait(*g.first, fiber)) {
      g.threads += threads;
      return;
    }
  }
  groups.push_back({&fiber, threads});
}

std::vector<WaitGroup> wait_groups(const BlockRun &block) {
  std::vector<WaitGroup> groups;
  for (uint32_t w = 0; w * kWarpSize < block.thread_count(); ++w) {
    const Warp &warp = block.warp(w);
    if (block.by_warps()) {
      if (warp.live != 0) {
        add_to_groups(groups, *warp.lanes[0], static_cast<uint32_t>(std::popcount(warp.live)));
      }
      continue;
    }
    for (uint32_t lanes = warp.live; lanes != 0; lanes &= lanes - 1) {
      add_to_groups(groups, *warp.lanes[std::countr_zero(lanes)], 1);
    }
  }
  return groups;
}

std::string describe_wait(const WaitGroup &g, const Grid &grid) {
  const Fiber &f = *g.first;
  const char *verb = f.waits == WaitKind::None ? " spin" : " wait";
  std::string text = format("%u thread%s%s at ", g.threads, g.threads == 1 ? "" : "s",
                            g.threads == 1 ? format("%ss", verb).c_str() : verb);
  if (f.waits == WaitKind::None) {
    text += "a loop that waits for others";
  } else if (f.waits == WaitKind::Barrier && f.barrier == kGridBarrier) {
    text += "the grid-wide barrier";
  } else if (f.waits == WaitKind::Barrier) {
    text += format("barrier %u", f.barrier);
  } else {
    text += format("%s with mask 0x%08x", operation(f.waits), f.op.mask);
  }
  return text + describe_call(grid, f.place) + format(" (first: thread %s)", coordinates(f.thread, f.state.ntid).c_str());
}

}  // namespace

void set_fault_hooks(const FaultHooks &hooks) { describe_address = hooks.describe_address; }

std::string kernel_title(const Grid &grid) {
  const GridLaunch &launch = *grid.launch;
  const char *name = launch.kernel_name != nullptr ? launch.kernel_name : launch.state.kernel->name;
  return name != nullptr ? demangle(name) : "?";
}

std::unique_ptr<FaultReport> report_fault(const Fault &fault, const Fiber &fiber) {
  const Grid &grid = *fiber.block->grid();
  const Verdict verdict = judge(fault, fiber);
  return std::make_unique<FaultReport>(FaultReport{
      verdict.code,
      format("kernel %s: block %s, %s: %s%s", kernel_title(grid).c_str(), coordinates(fiber.state.ctaid).c_str(),
             describe_threads(fiber, fault.signal == 0).c_str(), verdict.what.c_str(),
             (fault.signal != 0 ? describe_place : describe_call)(grid, fault.place).c_str())});
}

std::unique_ptr<FaultReport> report_deadlock(const BlockRun &block) {
  const Grid &grid = *block.grid();
  std::string text = format("kernel %s: block %s: deadlock: none of its threads can go on", kernel_title(grid).c_str(),
                            coordinates(block.coordinates()).c_str());
  for (const WaitGroup &g : wait_groups(block)) {
    text += "; " + describe_wait(g, grid);
  }
  const uint32_t ended = block.thread_count() - block.live_threads();
  if (ended != 0) {
    text += format("; %u thread%s ended", ended, ended == 1 ? " has" : "s have");
  }
  return std::make_unique<FaultReport>(FaultReport{CUDA_ERROR_LAUNCH_FAILED, text});
}

std::string describe_stall(const BlockRun &block, long milliseconds) {
  const Grid &grid = *block.grid();
  bool spins = false;
  bool waits = false;
  std::string text;
  for (const WaitGroup &g : wait_groups(block)) {
    spins |= g.first->waits == WaitKind::None;
    waits |= g.first->waits != WaitKind::None && g.first->barrier != kGridBarrier;
    text += "; " + describe_wait(g, grid);
  }
  return spins && waits ? format("kernel %s: block %s: no progress for %ld ms", kernel_title(grid).c_str(),
                                 coordinates(block.coordinates()).c_str(), milliseconds) +
                              text
                        : std::string();
}

std::unique_ptr<FaultReport> report_grid_deadlock(const Grid &grid, uint64_t waiting, uint64_t ended) {
  return std::make_unique<FaultReport>(
      FaultReport{CUDA_ERROR_LAUNCH_FAILED,
                  format("kernel %s: deadlock: %llu block(s) wait at the grid-wide barrier, but %llu have ended",
                         kernel_title(grid).c_str(), static_cast<unsigned long long>(waiting),
                         static_cast<unsigned long long>(ended))});
}

std::unique_ptr<FaultReport> report_no_memory(const Grid &grid) {
  return std::make_unique<FaultReport>(FaultReport{
      CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
      format("kernel %s: no memory for the stacks or the shared memory of a block", kernel_title(grid).c_str())});
}

}  // namespace hel::cpu::exec
