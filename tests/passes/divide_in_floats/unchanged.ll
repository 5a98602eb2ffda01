; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Single numbers, constant divisors, 64 bits and few lanes stay as they are.
; RUN: %helicon-opt -stages=divide_in_floats %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-NOT: fp
define i32 @one(i32 %a, i32 %b) {
  %q = udiv i32 %a, %b
  ret i32 %q
}

define <8 x i32> @constant(<8 x i32> %a) {
  %q = udiv <8 x i32> %a, splat (i32 7)
  ret <8 x i32> %q
}

define <8 x i64> @wide(<8 x i64> %a, <8 x i64> %b) {
  %q = srem <8 x i64> %a, %b
  ret <8 x i64> %q
}

define <2 x i32> @two(<2 x i32> %a, <2 x i32> %b) {
  %q = sdiv <2 x i32> %a, %b
  ret <2 x i32> %q
}
