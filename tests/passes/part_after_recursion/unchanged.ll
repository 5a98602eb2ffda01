; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: kernels, functions that call others, and those that call what is declared only, if none of this unit can be called back.
; RUN: %helicon-opt -gpu=sm_90 -stages=part_after_recursion %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: activemask
declare i32 @vprintf(ptr, ptr)

define internal i32 @leaf(i32 %x) {
  ret i32 %x
}
define internal i32 @two(i32 %x) {
  %a = call i32 @leaf(i32 %x)
  %b = call i32 @leaf(i32 %a)
  %c = call i32 @vprintf(ptr null, ptr null)
  ret i32 %b
}
define ptx_kernel void @kernel(ptr %p) {
  %a = call i32 @two(i32 1)
  store i32 %a, ptr %p
  ret void
}
