; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A barrier stays one barrier: no path through the code gets a copy of its own.
; RUN: %helicon-opt -stages=optimise %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @__hl_barrier(i32, i32) #0

; CHECK-LABEL: define void @k(
; CHECK-COUNT-2: call void @__hl_barrier
; CHECK-NOT:     call void @__hl_barrier
; CHECK:         ret void
define void @k(ptr %p, i32 %n) {
entry:
  %c = icmp ult i32 %n, 32
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr %p
  br label %join
join:
  call void @__hl_barrier(i32 0, i32 0) #0
  %d = icmp ult i32 %n, 16
  br i1 %d, label %then2, label %end
then2:
  store i32 2, ptr %p
  br label %end
end:
  call void @__hl_barrier(i32 0, i32 0) #0
  ret void
}
attributes #0 = { convergent nounwind }
