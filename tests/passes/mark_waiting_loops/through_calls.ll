; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop also waits when a function that it calls does the reading.
; RUN: %helicon-opt -stages=mark_waiting_loops %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i1 @is_ready(
; CHECK-NOT:     __hl_yield
define i1 @is_ready(ptr %p) {
  %v = load volatile i32, ptr %p
  %r = icmp ne i32 %v, 0
  ret i1 %r
}

; CHECK-LABEL: define void @wait(
; CHECK:         call void @__hl_yield()
define void @wait(ptr %p) {
entry:
  br label %loop
loop:
  %r = call i1 @is_ready(ptr %p)
  br i1 %r, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @plain(
; CHECK-NOT:     __hl_yield
; CHECK:         ret void
define void @plain(ptr %p) {
entry:
  br label %loop
loop:
  %v = load i32, ptr %p
  %r = icmp eq i32 %v, 0
  br i1 %r, label %loop, label %done
done:
  ret void
}
