; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A second condition that reads memory is not computed before the first is known.
; RUN: %helicon-opt -gpu=sm_90 -stages=join_conditions %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @f(
; CHECK: br i1 %a, label %next, label %out
; CHECK: br i1 %b, label %in, label %out
define void @f(i32 %x, ptr %limit, ptr %p) {
entry:
  %a = icmp sgt i32 %x, 0
  br i1 %a, label %next, label %out
next:
  %n = load i32, ptr %limit
  %b = icmp slt i32 %x, %n
  br i1 %b, label %in, label %out
in:
  store i32 1, ptr %p
  br label %out
out:
  ret void
}
