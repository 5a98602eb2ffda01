; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; All reads of the thread's state in a function share one load of the thread-local pointer.
; RUN: %helicon-opt -stages=place_thread_state %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare ptr @hl.self()

; CHECK: @__hl_thread = external thread_local(initialexec) global ptr
; CHECK-LABEL: define i64 @k(
; CHECK-NEXT:    %[[A:.*]] = call {{.*}}@llvm.threadlocal.address.p0(ptr {{.*}}@__hl_thread)
; CHECK-NEXT:    %self = load ptr, ptr %[[A]], align 8, !invariant.load
; CHECK-NOT:     @hl.self
; CHECK-NOT:     load ptr
; CHECK:         ret i64
define i64 @k(i1 %c) {
  br i1 %c, label %one, label %two
one:
  %s = call ptr @hl.self()
  %v = load i64, ptr %s
  ret i64 %v
two:
  %t = call ptr @hl.self()
  %w = load i64, ptr %t
  ret i64 %w
}
