// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/fiber/fiber.h"

#include <cstdint>

#if defined(HEL_TSAN_FIBERS)
#include <sanitizer/tsan_interface.h>
#endif

// A suspended stack, from its sp upwards: MXCSR (4 bytes) and x87 control word (2 of 4 bytes), r15, r14, r13, r12, rbx,
// rbp, return address. The control words are loaded only when they differ in more than MXCSR's six sticky flags:
// loading is slow, and they hardly ever do.
//
// The processor predicts that a return goes back to where the last call came from. hel_fiber_switch is called and ends
// with a jump, so the call is left over; hel_fiber_leave is jumped to and ends with a return, which takes it. All
// returns of the flow that goes on are then predicted.
asm(R"(
  .macro hel_save_flow
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r14, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r15, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %eax
  movzwl 4(%rsp), %ecx
  movq %rsp, (%rdi)
  .endm
  .macro hel_load_flow
  movq %rsi, %rsp
  xorl (%rsp), %eax
  testl $-64, %eax
  jne 2f
  cmpw 4(%rsp), %cx
  jne 2f
1:
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  .cfi_restore r15
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_restore r14
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_restore r13
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore r12
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbx
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbp
  .endm
  .macro hel_load_control_words
2:
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  jmp 1b
  .endm

  .text
  .p2align 4
  .hidden hel_fiber_switch
  .globl hel_fiber_switch
  .type hel_fiber_switch, @function
hel_fiber_switch:
  .cfi_startproc
  hel_save_flow
  hel_load_flow
  popq %rcx
  .cfi_adjust_cfa_offset -8
  .cfi_register rip, rcx
  jmpq *%rcx
  .cfi_restore rip
  .cfi_def_cfa_offset 64
  hel_load_control_words
  .cfi_endproc
  .size hel_fiber_switch, .-hel_fiber_switch

  .p2align 4
  .hidden hel_fiber_leave
  .globl hel_fiber_leave
  .type hel_fiber_leave, @function
hel_fiber_leave:
  .cfi_startproc
  .cfi_def_cfa_offset 0
  .cfi_register rip, rdx
  pushq %rdx
  .cfi_adjust_cfa_offset 8
  .cfi_offset rip, -8
  hel_save_flow
  hel_load_flow
  ret
  .cfi_adjust_cfa_offset 56
  hel_load_control_words
  .cfi_endproc
  .size hel_fiber_leave, .-hel_fiber_leave

  .p2align 4
  .hidden hel_fiber_landing
  .globl hel_fiber_landing
  .type hel_fiber_landing, @function
hel_fiber_landing:
  cld
  fninit
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size hel_fiber_landing, .-hel_fiber_landing

  .p2align 4
  .hidden hel_fiber_start
  .globl hel_fiber_start
  .type hel_fiber_start, @function
hel_fiber_start:
  .cfi_startproc
  .cfi_undefined rip
  xorl %ebp, %ebp
  call *%r12
  ud2
  .cfi_endproc
  .size hel_fiber_start, .-hel_fiber_start

  .p2align 4
  .hidden hel_call_on_stack
  .globl hel_call_on_stack
  .type hel_call_on_stack, @function
hel_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbp, 0
  movq %rsp, %rbp
  .cfi_def_cfa_register rbp
  movq %rdi, %rsp
  andq $-16, %rsp
  movq %rdx, %rdi
  call *%rsi
  movq %rbp, %rsp
  .cfi_def_cfa_register rsp
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbp
  ret
  .cfi_endproc
  .size hel_call_on_stack, .-hel_call_on_stack
)");

extern "C" {
void hel_fiber_switch(void **save_sp, void *load_sp);
void hel_fiber_landing();
void hel_fiber_start();
void hel_call_on_stack(void *sp, void (*function)(void *), void *argument);
}

namespace hel::cpu::exec {
namespace {

constexpr uint64_t kDefaultControlWords = 0x0000'037F'0000'1F80;  // x87: 0x37F, MXCSR: 0x1F80

}  // namespace

void prepare_fiber(FiberContext &context, void *top, void (*entry)()) {
  auto *slot = reinterpret_cast<uint64_t *>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15});
  *--slot = 0;  // keeps the stack 16-byte aligned when hel_fiber_start begins
  *--slot = 0;
  *--slot = reinterpret_cast<uint64_t>(&hel_fiber_start);
  *--slot = 0;                                  // rbp
  *--slot = 0;                                  // rbx
  *--slot = reinterpret_cast<uint64_t>(entry);  // r12
  *--slot = 0;                                  // r13
  *--slot = 0;                                  // r14
  *--slot = 0;                                  // r15
  *--slot = kDefaultControlWords;
  context.sp = slot;
#if defined(HEL_TSAN_FIBERS)
  if (context.sanitizer == nullptr) {
    context.sanitizer = __tsan_create_fiber(0);
  }
#endif
}

void discard_fiber(FiberContext &context) {
#if defined(HEL_TSAN_FIBERS)
  if (context.sanitizer != nullptr) {
    __tsan_destroy_fiber(context.sanitizer);
    context.sanitizer = nullptr;
  }
#endif
  context.sp = nullptr;
}

void adopt_thread(FiberContext &context) {
#if defined(HEL_TSAN_FIBERS)
  context.sanitizer = __tsan_get_current_fiber();
#endif
}

HEL_CHANGES_FIBER void switch_fiber(FiberContext &from, FiberContext &to) {
#if defined(HEL_TSAN_FIBERS)
  __tsan_switch_to_fiber(to.sanitizer, 0);
#endif
  hel_fiber_switch(&from.sp, to.sp);
}

HEL_CHANGES_FIBER void resume_after_fault(FiberContext &context) {
#if defined(HEL_TSAN_FIBERS)
  __tsan_switch_to_fiber(context.sanitizer, 0);
#endif
}

void *fault_landing() { return reinterpret_cast<void *>(&hel_fiber_landing); }

void call_on_stack(const FiberContext &context, void (*function)(void *), void *argument) {
  hel_call_on_stack(context.sp, function, argument);
}

}  // namespace hel::cpu::exec
