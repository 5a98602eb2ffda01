; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What comes from a case of a switch over %v knows where each further switch over %v leads: it goes on behind the last,
; past case 2 of the second, and the second switch is left to nobody.
; RUN: %helicon-opt -stages=tidy %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @work(i32)

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NEXT:    switch i32 %v, label %done [
; CHECK-NEXT:      i32 0, label %zero
; CHECK-NEXT:      i32 1, label %one
; CHECK-NEXT:      i32 2, label %two
; CHECK-NEXT:    ]
; CHECK:       zero:
; CHECK-NEXT:    call void @work(i32 0)
; CHECK-NEXT:    br label %done
; CHECK:       one:
; CHECK-NEXT:    call void @work(i32 1)
; CHECK-NEXT:    br label %done
; CHECK:       two:
; CHECK-NEXT:    call void @work(i32 2)
; CHECK-NEXT:    br label %done
; CHECK:       done:
; CHECK-NEXT:    ret void
define ptx_kernel void @k(i32 %v) {
  switch i32 %v, label %next [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
  ]
zero:
  call void @work(i32 0)
  br label %next
one:
  call void @work(i32 1)
  br label %next
next:
  switch i32 %v, label %done [
    i32 2, label %two
    i32 3, label %done
  ]
two:
  call void @work(i32 2)
  br label %done
done:
  ret void
}

; Both ways to %two come with the same value.
; CHECK-LABEL: define ptx_kernel void @both(
; CHECK:       two:
; CHECK-NEXT:    call void @work(i32 2)
; CHECK-NEXT:    br label %done
define ptx_kernel void @both(i32 %v, i1 %c) {
  br i1 %c, label %first, label %second
first:
  call void @work(i32 7)
  switch i32 %v, label %done [
    i32 1, label %one
    i32 2, label %two
  ]
second:
  call void @work(i32 8)
  switch i32 %v, label %done [
    i32 2, label %two
    i32 3, label %one
  ]
one:
  call void @work(i32 1)
  br label %done
two:
  call void @work(i32 2)
  switch i32 %v, label %done [
    i32 3, label %one
    i32 4, label %three
  ]
three:
  call void @work(i32 3)
  br label %done
done:
  ret void
}
