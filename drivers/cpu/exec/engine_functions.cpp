// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// abi/engine.h for the thread engine: what compiled device code calls. Each function runs on a fiber, whose stack may
// be nearly used up and whose pointers may be bad: whatever takes a lock or much stack runs on the worker's own stack
// and touches no memory of the program while a lock is held.
#include <cuda.h>
#include <time.h>
#include <x86intrin.h>

#include <bit>
#include <cstdio>

#include "abi/engine.h"
#include "base/result.h"
#include "drivers/cpu/exec/block_run.h"
#include "drivers/cpu/exec/device_heap.h"
#include "drivers/cpu/exec/fault/fault_report.h"
#include "drivers/cpu/exec/grid.h"
#include "drivers/cpu/exec/worker.h"
#include "drivers/cpu/exec/worker_pool.h"

#define HEL_ENGINE_FUNCTION extern "C" [[gnu::visibility("default")]]

namespace hel::cpu::exec {
namespace {

/// The running fiber, with the place of the call noted for reports.
[[gnu::always_inline]] inline Fiber *enter(const void *place) {
  auto *self = static_cast<Fiber *>(__hl_thread->engine);
  self->place = place;
  return self;
}

#define HEL_ENTER() enter(__builtin_return_address(0))

void check_barrier_id(Fiber *self, uint32_t id) {
  if (id >= kBarriers) [[unlikely]] {
    raise_fault(self, CUDA_ERROR_LAUNCH_FAILED, "barrier number is out of range");
  }
}

Fiber *barrier_reduction(Fiber *self, uint32_t id, uint32_t threads, uint32_t predicate) {
  check_barrier_id(self, id);
  self->block->wait_at_barrier(self, id, threads, 1, predicate != 0);
  return self;
}

uint32_t match(Fiber *self, WaitKind kind, uint32_t mask, uint64_t value) {
  self->op.mask = mask;
  self->op.value = value;
  self->block->meet(self, kind);
  return self->op.result;
}

uint64_t monotonic_nanoseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

DeviceHeap &heap_of(const Fiber &fiber) {
  static DeviceHeap &of_process = *new DeviceHeap(8 << 20);
  DeviceHeap *heap = fiber.block->grid()->launch->heap;
  return heap != nullptr ? *heap : of_process;
}

template <typename Function> void at_home(Fiber *self, Function function) {
  self->worker->call_at_home([](void *f) { (*static_cast<Function *>(f))(); }, &function);
}

}  // namespace
}  // namespace hel::cpu::exec

using namespace hel::cpu::exec;

HEL_ENGINE_FUNCTION void __hl_barrier(uint32_t id, uint32_t threads) {
  Fiber *self = HEL_ENTER();
  check_barrier_id(self, id);
  self->block->wait_at_barrier(self, id, threads, 0, 0);
}

HEL_ENGINE_FUNCTION void __hl_barrier_arrive(uint32_t id, uint32_t threads) {
  Fiber *self = HEL_ENTER();
  check_barrier_id(self, id);
  self->block->arrive_at_barrier(self, id, threads);
}

HEL_ENGINE_FUNCTION uint32_t __hl_barrier_red_popc(uint32_t id, uint32_t threads, uint32_t predicate) {
  return barrier_reduction(HEL_ENTER(), id, threads, predicate)->votes_true;
}

HEL_ENGINE_FUNCTION uint32_t __hl_barrier_red_and(uint32_t id, uint32_t threads, uint32_t predicate) {
  const Fiber *self = barrier_reduction(HEL_ENTER(), id, threads, predicate);
  return self->votes_true == self->votes_cast;
}

HEL_ENGINE_FUNCTION uint32_t __hl_barrier_red_or(uint32_t id, uint32_t threads, uint32_t predicate) {
  return barrier_reduction(HEL_ENTER(), id, threads, predicate)->votes_true != 0;
}

HEL_ENGINE_FUNCTION uint32_t __hl_barrier_red_lanes(uint32_t op, uint32_t id, uint32_t threads, uint32_t lanes,
                                                    uint32_t predicates) {
  Fiber *self = HEL_ENTER();
  check_barrier_id(self, id);
  self->block->wait_at_barrier(self, id, threads, static_cast<uint32_t>(std::popcount(lanes)),
                               static_cast<uint32_t>(std::popcount(predicates)));
  switch (op) {
    case HlBarrierRedPopc:
      return self->votes_true;
    case HlBarrierRedAnd:
      return self->votes_true == self->votes_cast;
    default:
      return self->votes_true != 0;
  }
}

HEL_ENGINE_FUNCTION void __hl_grid_sync(void) {
  Fiber *self = HEL_ENTER();
  if (self->state.launch->cooperative == 0) {
    raise_fault(self, CUDA_ERROR_LAUNCH_FAILED, "grid-wide barrier in a kernel that was not launched cooperatively");
  }
  self->block->wait_at_barrier(self, kGridBarrier, 0, 0, 0);
}

HEL_ENGINE_FUNCTION void __hl_warp_sync(uint32_t mask) {
  Fiber *self = HEL_ENTER();
  self->op.mask = mask;
  self->block->meet(self, WaitKind::Sync);
}

HEL_ENGINE_FUNCTION uint32_t __hl_shfl(uint32_t mode, uint32_t mask, uint32_t value, uint32_t lane, uint32_t clamp,
                                       uint32_t *in_range) {
  Fiber *self = HEL_ENTER();
  self->op = {.mask = mask, .mode = mode, .value = value, .lane = lane, .clamp = clamp};
  self->block->meet(self, WaitKind::Shuffle);
  if (in_range != nullptr) {
    *in_range = self->op.predicate;
  }
  return self->op.result;
}

HEL_ENGINE_FUNCTION uint32_t __hl_vote(uint32_t mode, uint32_t mask, uint32_t predicate) {
  Fiber *self = HEL_ENTER();
  self->op.mode = mode;
  return match(self, WaitKind::Vote, mask, predicate);
}

HEL_ENGINE_FUNCTION uint32_t __hl_match_any_32(uint32_t mask, uint32_t value) {
  return match(HEL_ENTER(), WaitKind::Match, mask, value);
}

HEL_ENGINE_FUNCTION uint32_t __hl_match_any_64(uint32_t mask, uint64_t value) {
  return match(HEL_ENTER(), WaitKind::Match, mask, value);
}

HEL_ENGINE_FUNCTION uint32_t __hl_match_all_32(uint32_t mask, uint32_t value, uint32_t *all_equal) {
  Fiber *self = HEL_ENTER();
  const uint32_t result = match(self, WaitKind::MatchAll, mask, value);
  if (all_equal != nullptr) {
    *all_equal = self->op.predicate;
  }
  return result;
}

HEL_ENGINE_FUNCTION uint32_t __hl_match_all_64(uint32_t mask, uint64_t value, uint32_t *all_equal) {
  Fiber *self = HEL_ENTER();
  const uint32_t result = match(self, WaitKind::MatchAll, mask, value);
  if (all_equal != nullptr) {
    *all_equal = self->op.predicate;
  }
  return result;
}

HEL_ENGINE_FUNCTION uint32_t __hl_redux(uint32_t op, uint32_t mask, uint32_t value) {
  Fiber *self = HEL_ENTER();
  self->op.mode = op;
  return match(self, WaitKind::Redux, mask, value);
}

HEL_ENGINE_FUNCTION uint32_t __hl_activemask(uint32_t site) {
  return match(HEL_ENTER(), WaitKind::ActiveMask, site, 0);
}

HEL_ENGINE_FUNCTION void __hl_yield(void) {
  Fiber *self = HEL_ENTER();
  self->block->give_way(self);
}

HEL_ENGINE_FUNCTION void __hl_nanosleep(uint32_t nanoseconds) {
  Fiber *self = HEL_ENTER();
  constexpr uint64_t kLongest = 1'000'000;  // as documented for __nanosleep
  const uint64_t end = monotonic_nanoseconds() + (nanoseconds < kLongest ? nanoseconds : kLongest);
  do {
    self->block->give_way(self);
  } while (monotonic_nanoseconds() < end);
}

HEL_ENGINE_FUNCTION uint32_t __hl_is_cooperative(void) { return __hl_thread->launch->cooperative != 0; }

HEL_ENGINE_FUNCTION uint32_t __hl_space_of(const void *pointer) {
  const auto *self = static_cast<const Fiber *>(__hl_thread->engine);
  const auto *byte = static_cast<const uint8_t *>(pointer);
  if (byte >= self->stack.low && byte < self->stack.top) {
    return 1;
  }
  const hel::abi::ThreadState &state = self->state;
  const auto *params = static_cast<const uint8_t *>(state.launch->params);
  if (byte >= params && byte < params + state.launch->kernel->param_bytes) {
    return 3;
  }
  const uint8_t *end = state.dynamic_shared + state.launch->dynamic_shared_bytes;
  return byte >= state.shared && byte < end ? 2 : 0;
}

HEL_ENGINE_FUNCTION int32_t __hl_vprintf(const char *format, const void *packed_arguments) {
  Fiber *self = HEL_ENTER();
  int32_t result = 0;
  at_home(self, [&] {
    std::string &text = self->worker->scratch();
    text.clear();
    result = format_device_printf(text, format, packed_arguments);
    Grid *grid = self->block->grid();
    grid->output.append(text, grid->launch->printf_bytes);
  });
  return result;
}

HEL_ENGINE_FUNCTION void __hl_assert_fail(const char *message, const char *file, uint32_t line, const char *function) {
  Fiber *self = HEL_ENTER();
  at_home(self, [&] {
    const hel::abi::Dim3 &b = self->state.ctaid;
    const hel::abi::Dim3 &t = self->state.tid;
    const std::string what = hel::format("assertion `%s` failed at %s:%u", message, file, line);
    const std::string text = hel::format("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                                         file, line, function, b.x, b.y, b.z, t.x, t.y, t.z, message);
    Fault &fault = self->worker->fault();
    fault.code = CUDA_ERROR_ASSERT;
    fault.place = nullptr;  // the text has the line
    fault.what = what;
    fault.message = text;
  });
  Worker::leave(self, FiberEvent::Faulted);
  __builtin_unreachable();
}

HEL_ENGINE_FUNCTION void __hl_trap(void) { raise_fault(HEL_ENTER(), CUDA_ERROR_LAUNCH_FAILED, "trap"); }

HEL_ENGINE_FUNCTION void __hl_exit(void) {
  Worker::leave(HEL_ENTER(), FiberEvent::ThreadExited);
  __builtin_unreachable();
}

HEL_ENGINE_FUNCTION void *__hl_malloc(size_t bytes) {
  Fiber *self = HEL_ENTER();
  void *result = nullptr;
  at_home(self, [&] { result = heap_of(*self).allocate(bytes); });
  return result;
}

HEL_ENGINE_FUNCTION void *__hl_aligned_malloc(size_t bytes, size_t alignment) {
  Fiber *self = HEL_ENTER();
  void *result = nullptr;
  at_home(self, [&] { result = heap_of(*self).allocate(bytes, alignment); });
  return result;
}

HEL_ENGINE_FUNCTION void __hl_free(void *pointer) {
  Fiber *self = HEL_ENTER();
  bool known = true;
  at_home(self, [&] { known = heap_of(*self).release(pointer); });
  if (!known) {
    raise_fault(self, CUDA_ERROR_LAUNCH_FAILED,
                "free of a pointer that device malloc did not return, or a second free of it");
  }
}

HEL_ENGINE_FUNCTION uint64_t __hl_clock64(void) { return __rdtsc(); }

HEL_ENGINE_FUNCTION uint64_t __hl_globaltimer(void) { return monotonic_nanoseconds(); }

HEL_ENGINE_FUNCTION uint32_t __hl_sm_id(void) { return HEL_ENTER()->worker->index(); }

HEL_ENGINE_FUNCTION uint32_t __hl_sm_count(void) {
  return static_cast<uint32_t>(WorkerPool::instance().worker_count());
}

HEL_ENGINE_FUNCTION void __hl_members_missing(uint32_t missing) {
  Fiber *self = HEL_ENTER();
  std::string *text = nullptr;
  at_home(self, [&] {
    text = &self->worker->scratch();
    *text = hel::format(
        "a warp function names lanes that have gone another way (mask 0x%08x), which the warp engine "
        "cannot wait for: run with HELICON_ENGINE=thread",
        missing);
  });
  raise_fault(self, CUDA_ERROR_LAUNCH_FAILED, text->c_str());
}

HEL_ENGINE_FUNCTION void __hl_fault(const char *what) { raise_fault(HEL_ENTER(), CUDA_ERROR_ILLEGAL_ADDRESS, what); }

HEL_ENGINE_FUNCTION void __hl_unsupported(const char *what) {
  Fiber *self = HEL_ENTER();
  std::string *text = nullptr;
  at_home(self, [&] {
    text = &self->worker->scratch();
    *text = hel::format("%s is not supported", what);
  });
  raise_fault(self, CUDA_ERROR_LAUNCH_FAILED, text->c_str());
}
