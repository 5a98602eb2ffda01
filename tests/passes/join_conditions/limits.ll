; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The limits of a stencil are one branch.
; RUN: %helicon-opt -gpu=sm_90 -stages=join_conditions %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @f(
; CHECK: %[[BOTH:.*]] = select i1 %a, i1 %b, i1 false
; CHECK-NEXT: br i1 %[[BOTH]], label %in, label %out
; CHECK-NOT: br i1
define void @f(i32 %x, i32 %y, i32 %n, ptr %p) {
entry:
  %a = icmp sgt i32 %x, 0
  br i1 %a, label %next, label %out
next:
  %n1 = add nsw i32 %n, -1
  %m = call i32 @llvm.smax.i32(i32 %x, i32 %y)
  %b = icmp slt i32 %m, %n1
  br i1 %b, label %in, label %out
in:
  store i32 1, ptr %p
  br label %out
out:
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
