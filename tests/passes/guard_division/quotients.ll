; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Division by 0 gives all ones and by -1 wraps; neither traps. Harmless divisors are left alone.
; RUN: %helicon-opt -stages=guard_division %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @signed(
; CHECK-DAG:     %[[ZERO:.*]] = icmp eq i32 %b, 0
; CHECK-DAG:     %[[NEG:.*]] = icmp eq i32 %b, -1
; CHECK:         %[[BAD:.*]] = or i1 %[[ZERO]], %[[NEG]]
; CHECK:         %[[SAFE:.*]] = select i1 %[[BAD]], i32 1, i32 %b
; CHECK:         %[[Q:.*]] = sdiv i32 %a, %[[SAFE]]
; CHECK:         %[[MINUS:.*]] = sub i32 0, %a
; CHECK:         %[[WRAP:.*]] = select i1 %[[NEG]], i32 %[[MINUS]], i32 %[[Q]]
; CHECK:         %[[R:.*]] = select i1 %[[ZERO]], i32 -1, i32 %[[WRAP]]
; CHECK:         ret i32 %[[R]]
define i32 @signed(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}

; CHECK-LABEL: define <2 x i64> @unsigned_vector(
; CHECK:         %[[ZERO:.*]] = icmp eq <2 x i64> %b, zeroinitializer
; CHECK:         %[[SAFE:.*]] = select <2 x i1> %[[ZERO]], <2 x i64> splat (i64 1), <2 x i64> %b
; CHECK:         udiv <2 x i64> %a, %[[SAFE]]
; CHECK:         select <2 x i1> %[[ZERO]], <2 x i64> splat (i64 -1)
define <2 x i64> @unsigned_vector(<2 x i64> %a, <2 x i64> %b) {
  %q = udiv <2 x i64> %a, %b
  ret <2 x i64> %q
}

; CHECK-LABEL: define i32 @constant(
; CHECK-NEXT:    sdiv i32 %a, 7
; CHECK-NEXT:    ret
define i32 @constant(i32 %a) {
  %q = sdiv i32 %a, 7
  ret i32 %q
}

; CHECK-LABEL: define i32 @by_zero(
; CHECK-NOT:     sdiv i32 %a, 0
; CHECK:         ret
define i32 @by_zero(i32 %a) {
  %q = sdiv i32 %a, 0
  ret i32 %q
}
