; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pieces of a shared array that each lane reads by itself are known to be aligned. A scan of CUB read its 24 numbers one by one.
; RUN: %helicon-opt -gpu=sm_90 -stages=infer_address_spaces %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@buffer = internal addrspace(3) global [768 x float] undef, align 16

; CHECK-LABEL: define float @f(
; CHECK:         load float, ptr addrspace(3) %{{.*}}, align 16
; CHECK:         load float, ptr addrspace(3) %{{.*}}, align 4
define float @f(i32 %lane) {
  %first = mul i32 %lane, 24
  %at = sext i32 %first to i64
  %p = getelementptr float, ptr addrspacecast (ptr addrspace(3) @buffer to ptr), i64 %at
  %q = getelementptr i8, ptr %p, i64 4
  %a = load float, ptr %p, align 4
  %b = load float, ptr %q, align 4
  %sum = fadd float %a, %b
  ret float %sum
}
