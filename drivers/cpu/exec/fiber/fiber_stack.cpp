// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/fiber/fiber_stack.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"

namespace hel::cpu::exec {
namespace {

constexpr size_t kSmallest = 64 << 10;
constexpr size_t kGuard = 64 << 10;
constexpr size_t kSlabStacks = 32;
constexpr size_t kColours = 32;       // starts are spread over the sets of the first-level cache
constexpr size_t kColourBytes = 192;  // three lines, so that neighbours do not share sets
constexpr int kGuardInstall = 102;    // MADV_GUARD_INSTALL: a guard that costs no mapping of its own

struct StackStore {
  Mutex mutex;
  std::vector<FiberStack> free[kStackClasses] HEL_GUARDED_BY(mutex);
  size_t made HEL_GUARDED_BY(mutex) = 0;
};

StackStore &store() {
  static StackStore &instance = *new StackStore;  // outlives every thread
  return instance;
}

std::atomic<bool> light_guards{true};

bool guard(uint8_t *at) {
  if (light_guards.load(std::memory_order_relaxed)) {
    if (madvise(at, kGuard, kGuardInstall) == 0) {
      return true;
    }
    light_guards.store(false, std::memory_order_relaxed);
  }
  return mprotect(at, kGuard, PROT_NONE) == 0;
}

bool make_slab(StackStore &all, int stack_class) HEL_REQUIRES(all.mutex) {
  const size_t usable = stack_class_bytes(stack_class) + kColours * kColourBytes;
  const size_t page = 4096;
  const size_t step = kGuard + (usable + page - 1) / page * page;
  const size_t count = usable > (size_t{1} << 20) ? 1 : kSlabStacks;
  void *slab = mmap(nullptr, step * count, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (slab == MAP_FAILED) {
    return false;
  }
  madvise(slab, step * count, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < count; ++i) {
    uint8_t *base = static_cast<uint8_t *>(slab) + i * step;
    if (!guard(base)) {
      HEL_LOG(engine, 1, "stack_guard=refused stacks=%zu", all.made);
      munmap(base, step * (count - i));
      return i > 0;
    }
    const size_t colour = all.made++ % kColours * kColourBytes;
    all.free[stack_class].push_back({base + kGuard, base + step - colour});
  }
  return true;
}

}  // namespace

bool FiberStack::guards(const void *address) const {
  auto *p = static_cast<const uint8_t *>(address);
  return p >= low - kGuard && p < low;
}

int stack_class(size_t bytes) {
  int result = 0;
  while (result + 1 < kStackClasses && stack_class_bytes(result) < bytes) {
    ++result;
  }
  return result;
}

size_t stack_class_bytes(int stack_class) { return kSmallest << stack_class; }

bool acquire_stack(int stack_class, FiberStack *stack) {
  StackStore &all = store();
  Lock lock(all.mutex);
  auto &free = all.free[stack_class];
  if (free.empty() && !make_slab(all, stack_class)) {
    return false;
  }
  *stack = free.back();
  free.pop_back();
  return true;
}

void release_stack(int stack_class, const FiberStack &stack) {
  StackStore &all = store();
  Lock lock(all.mutex);
  all.free[stack_class].push_back(stack);
}

void lock_stacks_for_fork() HEL_THREAD_ATTRIBUTE(no_thread_safety_analysis) { store().mutex.lock(); }

void unlock_stacks_after_fork() HEL_THREAD_ATTRIBUTE(no_thread_safety_analysis) { store().mutex.unlock(); }

uint64_t stack_limit() {
  static const uint64_t limit = [] {
    void *probe = mmap(nullptr, kGuard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool light = probe != MAP_FAILED && madvise(probe, kGuard, kGuardInstall) == 0;
    if (probe != MAP_FAILED) {
      munmap(probe, kGuard);
    }
    if (light) {
      return uint64_t{1} << 20;
    }
    unsigned long maps = 65530;  // a guard made by mprotect costs two mappings
    if (FILE *file = fopen("/proc/sys/vm/max_map_count", "r")) {
      if (fscanf(file, "%lu", &maps) != 1) {
        maps = 65530;
      }
      fclose(file);
    }
    return uint64_t{maps} / 2 - uint64_t{maps} / 8;
  }();
  return limit;
}

}  // namespace hel::cpu::exec
