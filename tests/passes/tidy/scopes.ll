; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop body that is left by break and by continue: clang lets all ways out come together and go on by a number. Each
; goes straight on, and takes its values along.
; RUN: %helicon-opt -stages=tidy %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @work(i32) convergent
declare void @use(i32)

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NOT:     switch
; CHECK-NOT:     unreachable
; CHECK:       body:
; CHECK:         %a = call i32 @work(i32 %n)
; CHECK:         br i1 %{{.*}}, label %[[OUT:.*]], label %more
; CHECK:       more:
; CHECK-NEXT:    %b = call i32 @work(i32 %a)
; CHECK-NEXT:    call void @use(i32 %b)
; CHECK-NEXT:    br label %body
; CHECK:       [[OUT]]:
; CHECK-NEXT:    call void @use(i32 %a)
; CHECK-NEXT:    ret void
define ptx_kernel void @k(i32 %n) {
entry:
  br label %body
body:
  %a = call i32 @work(i32 %n)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %end, label %more
more:
  %b = call i32 @work(i32 %a)
  br label %end
end:
  %v = phi i32 [ %a, %body ], [ %b, %more ]
  %way = phi i32 [ 3, %body ], [ 0, %more ]
  switch i32 %way, label %never [
    i32 0, label %next
    i32 3, label %out
  ]
next:
  call void @use(i32 %v)
  br label %body
out:
  call void @use(i32 %v)
  ret void
never:
  unreachable
}

; A block that does more stays, as does a choice by what is not known.
; CHECK-LABEL: define ptx_kernel void @stays(
; CHECK:         switch
define ptx_kernel void @stays(i32 %n, i1 %c) {
entry:
  br i1 %c, label %more, label %end
more:
  call void @use(i32 0)
  br label %end
end:
  %way = phi i32 [ %n, %entry ], [ 0, %more ]
  switch i32 %way, label %other [
    i32 0, label %next
    i32 3, label %out
  ]
next:
  call void @use(i32 1)
  br label %out
other:
  call void @use(i32 2)
  br label %out
out:
  ret void
}
