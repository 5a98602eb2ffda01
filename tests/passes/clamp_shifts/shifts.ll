; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Shifts by an unknown number of bits have a GPU's results; those by a known or masked number, of other widths and of the device library
; stay.
; RUN: %helicon-opt -stages=clamp_shifts %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @left(
; CHECK-NEXT: %[[INSIDE:.*]] = icmp ult i32 %n, 32
; CHECK-NEXT: %[[SHIFTED:.*]] = shl i32 %a, %n
; CHECK-NEXT: %[[RESULT:.*]] = select i1 %[[INSIDE]], i32 %[[SHIFTED]], i32 0
; CHECK-NEXT: ret i32 %[[RESULT]]
define i32 @left(i32 %a, i32 %n) {
  %s = shl i32 %a, %n
  ret i32 %s
}

; CHECK-LABEL: define i64 @right(
; CHECK-NEXT: icmp ult i64 %n, 64
; CHECK-NEXT: lshr i64 %a, %n
; CHECK-NEXT: select i1
define i64 @right(i64 %a, i64 %n) {
  %s = lshr i64 %a, %n
  ret i64 %s
}

; CHECK-LABEL: define i32 @signed(
; CHECK-NEXT: %[[N:.*]] = call i32 @llvm.umin.i32(i32 %n, i32 31)
; CHECK-NEXT: ashr i32 %a, %[[N]]
define i32 @signed(i32 %a, i32 %n) {
  %s = ashr i32 %a, %n
  ret i32 %s
}

; CHECK-LABEL: define i32 @known(
; CHECK-NEXT: and i32 %n, 31
; CHECK-NEXT: shl i32 %a, %m
; CHECK-NEXT: lshr i32 %s, 7
; CHECK-NEXT: ret i32
define i32 @known(i32 %a, i32 %n) {
  %m = and i32 %n, 31
  %s = shl i32 %a, %m
  %t = lshr i32 %s, 7
  ret i32 %t
}

; CHECK-LABEL: define i128 @wide(
; CHECK-NEXT: shl i128 %a, %n
define i128 @wide(i128 %a, i128 %n) {
  %s = shl i128 %a, %n
  ret i128 %s
}

; CHECK-LABEL: define i32 @__hl_library(
; CHECK-NEXT: shl i32 %a, %n
define i32 @__hl_library(i32 %a, i32 %n) {
  %s = shl i32 %a, %n
  ret i32 %s
}
