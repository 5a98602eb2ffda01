; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: a struct that is only read is read where it is, so is a __grid_constant__ whose address goes elsewhere, and a
; function's own struct is no parameter of a kernel.
; RUN: %helicon-opt -gpu=sm_90 -stages=copy_written_parameters %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%s = type { i32, i32 }

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NEXT:    %at = getelementptr i32, ptr %p, i32 %i
; CHECK-NEXT:    %v = load i32, ptr %at
; CHECK-NEXT:    store i32 %v, ptr %out
; CHECK-NEXT:    ret void
define ptx_kernel void @k(ptr readonly byval(%s) align 4 %p, i32 %i, ptr %out) {
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  store i32 %v, ptr %out
  ret void
}
; CHECK-LABEL: define void @f(
; CHECK-NEXT:    store i32 1, ptr %p
define void @f(ptr byval(%s) align 4 %p) {
  store i32 1, ptr %p
  ret void
}
; CHECK-LABEL: define ptx_kernel void @constant(
; CHECK-NEXT:    call void @g(ptr %p)
define ptx_kernel void @constant(ptr byval(%s) align 4 "nvvm.grid_constant" %p) {
  call void @g(ptr %p)
  ret void
}
declare void @g(ptr)
