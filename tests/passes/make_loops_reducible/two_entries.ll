; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A jump into the middle of a loop: all lanes come by one block that branches on. The GPU's compiler counted the turns of such
; a loop in a register of the whole warp, once for those lanes that came in at the head and on from there for the others.
; RUN: %helicon-opt -gpu=sm_90 -stages=make_loops_reducible %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @middle(
; CHECK:         br label %[[ENTRY:.*]]
; CHECK:       middle:
; CHECK:         %more = icmp slt i32 %next, %n
; CHECK-NEXT:    br i1 %more, label %[[ENTRY]], label %end
; CHECK:       [[ENTRY]]:
; CHECK:         %[[FIRST:.*]] = phi i1 [ true, %middle ], [ %{{.*}}, %start ]
; CHECK-NEXT:    br i1 %[[FIRST]], label %again, label %middle
define i32 @middle(i1 %jump, i32 %n, ptr %p) {
start:
  br i1 %jump, label %middle, label %again
again:
  %i = phi i32 [ 0, %start ], [ %next, %middle ]
  store i32 %i, ptr %p
  br label %middle
middle:
  %j = phi i32 [ 0, %start ], [ %i, %again ]
  %next = add i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %again, label %end
end:
  ret i32 %next
}

; A case in a loop, as of a copy that is unrolled by hand.
; CHECK-LABEL: define void @case(
; CHECK-NOT:     switch
; CHECK:       end:
; CHECK-NEXT:    ret void
; CHECK:         %[[SECOND:.*]] = phi i1
; CHECK-NEXT:    br i1 %[[SECOND]], label %second, label %first
define void @case(i32 %n, ptr %p) {
start:
  switch i32 %n, label %none [
    i32 0, label %first
    i32 1, label %second
  ]
none:
  ret void
first:
  store volatile i32 0, ptr %p
  br label %second
second:
  store volatile i32 1, ptr %p
  %more = load volatile i1, ptr %p
  br i1 %more, label %first, label %end
end:
  ret void
}
