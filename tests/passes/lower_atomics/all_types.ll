; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomics of every type compile for every level of processor, without calls of an atomics library.
; RUN: %helicon-opt -compile=elf -cpu=x86-64-v2 %s -o %t.so
; RUN: %llvm-bin/llvm-nm -D %t.so | %FileCheck %s
; RUN: %helicon-opt -compile=elf -cpu=x86-64-v3 %s -o %t.so
; RUN: %llvm-bin/llvm-nm -D %t.so | %FileCheck %s
; RUN: %helicon-opt -compile=elf -cpu=x86-64-v4 %s -o %t.so
; RUN: %llvm-bin/llvm-nm -D %t.so | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-NOT: __atomic
; CHECK-NOT: __sync
; CHECK: __hl_image_info
; CHECK-NOT: __atomic
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, half %h, bfloat %b, <2 x half> %hh, <2 x bfloat> %bb, float %f, double %d, i128 %q, <2 x float> %v2, <4 x float> %v4) {
  %1 = atomicrmw fadd ptr %p, half %h syncscope("device") monotonic, align 2
  %2 = atomicrmw fadd ptr %p, bfloat %b syncscope("block") monotonic, align 2
  %3 = atomicrmw fadd ptr %p, <2 x half> %hh monotonic, align 4
  %4 = atomicrmw fadd ptr %p, <2 x bfloat> %bb monotonic, align 4
  %5 = atomicrmw fmin ptr %p, float %f monotonic, align 4
  %6 = atomicrmw fmax ptr %p, double %d monotonic, align 8
  %7 = atomicrmw uinc_wrap ptr %p, i32 7 monotonic, align 4
  %8 = atomicrmw udec_wrap ptr %p, i64 7 monotonic, align 8
  %9 = cmpxchg ptr %p, i128 %q, i128 1 seq_cst seq_cst, align 16
  %10 = atomicrmw xchg ptr %p, i128 %q acq_rel, align 16
  %11 = load atomic i128, ptr %p acquire, align 16
  store atomic i128 %11, ptr %p release, align 16
  %12 = atomicrmw fadd ptr %p, <2 x float> %v2 monotonic, align 8
  %13 = atomicrmw fadd ptr %p, <4 x float> %v4 monotonic, align 16
  %14 = load atomic float, ptr %p monotonic, align 4
  %15 = atomicrmw usub_sat ptr %p, i32 7 monotonic, align 4
  %16 = atomicrmw xchg ptr %p, float %f monotonic, align 4
  %17 = atomicrmw add ptr %p, i8 1 monotonic, align 1
  %18 = cmpxchg ptr %p, i16 1, i16 2 monotonic monotonic, align 2
  ret void
}
