; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: loops that are entered at their head, also through a switch, stay as they are.
; RUN: %helicon-opt -gpu=sm_90 -stages=make_loops_reducible %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @loop(
; CHECK-NEXT:  start:
; CHECK-NEXT:    switch i32 %n, label %head [
; CHECK-NEXT:      i32 3, label %end
; CHECK-NEXT:      i32 4, label %end
; CHECK-NEXT:    ]
; CHECK:       head:
; CHECK-NEXT:    %i = phi i32 [ 0, %start ], [ %next, %head ]
; CHECK-NEXT:    %next = add i32 %i, 1
; CHECK-NEXT:    %more = icmp slt i32 %next, %n
; CHECK-NEXT:    br i1 %more, label %head, label %end
define i32 @loop(i32 %n) {
start:
  switch i32 %n, label %head [
    i32 3, label %end
    i32 4, label %end
  ]
head:
  %i = phi i32 [ 0, %start ], [ %next, %head ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %head, label %end
end:
  %r = phi i32 [ 1, %start ], [ 1, %start ], [ %next, %head ]
  ret i32 %r
}
