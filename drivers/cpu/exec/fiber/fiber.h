// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switching between stacks on x86-64 (System V): callee-saved registers, MXCSR and the x87 control word travel.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#define HEL_TSAN_FIBERS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEL_TSAN_FIBERS 1
#endif
#endif

/// For functions in which the running fiber changes: ThreadSanitizer's record of calls belongs to a fiber, so they must
/// not be in it.
#if defined(HEL_TSAN_FIBERS)
#define HEL_CHANGES_FIBER [[gnu::noinline]] __attribute__((disable_sanitizer_instrumentation))
#else
#define HEL_CHANGES_FIBER
#endif

namespace hel::cpu::exec {

/// A suspended flow of control: its stack pointer, with the saved registers above it.
struct FiberContext {
  void *sp = nullptr;
  void *sanitizer = nullptr;  ///< ThreadSanitizer's fiber, in builds with it
};

/// Makes `context` start `entry` on the stack that ends at `top` when it is first switched to. `entry` never returns.
void prepare_fiber(FiberContext &context, void *top, void (*entry)());

/// Frees what prepare_fiber made besides the stack. The fiber must not be running.
void discard_fiber(FiberContext &context);

/// Marks the running OS thread's own stack as a context to come back to.
void adopt_thread(FiberContext &context);

/// Saves the running flow in `from` and goes on with `to`. Returns when somebody switches to `from`.
void switch_fiber(FiberContext &from, FiberContext &to);

/// switch_fiber for a fiber that goes back to who switched to it last, from the function that it was in then: the way
/// that costs the processor least.
[[gnu::always_inline]] inline void leave_fiber(FiberContext &from, FiberContext &to) {
#if defined(HEL_TSAN_FIBERS)
  switch_fiber(from, to);
#else
  void **save_sp = &from.sp;
  void *load_sp = to.sp;
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n"  // below what the function may keep there without saying so
      "leaq 1f(%%rip), %%rdx\n"
      "jmp hel_fiber_leave\n"
      "1:\n"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(save_sp), "+S"(load_sp)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
        "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
#endif
}

/// Tells the sanitizer that `context` runs, after control came to it by a signal handler's redirection.
void resume_after_fault(FiberContext &context);

/// Where a signal handler sends a thread, with the stack pointer set to a suspended context's `sp`, to go on there.
void *fault_landing();

/// Calls function(argument) on the free part of the suspended `context`'s stack.
void call_on_stack(const FiberContext &context, void (*function)(void *), void *argument);

}  // namespace hel::cpu::exec
