; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Clamped conversions; NaN is 0 for float to 32 bits and the top bit when 64 bits take part; small integers go through 32 bits.
; RUN: %helicon-opt -stages=saturate_conversions %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @f2i(
; CHECK-NEXT:    %[[R:.*]] = call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK-NEXT:    ret i32 %[[R]]
define i32 @f2i(float %x) {
  %r = fptosi float %x to i32
  ret i32 %r
}

; CHECK-LABEL: define i32 @d2u(
; CHECK:         %[[R:.*]] = call i32 @llvm.fptoui.sat.i32.f64(double %x)
; CHECK:         %[[NAN:.*]] = fcmp uno double %x, %x
; CHECK:         select i1 %[[NAN]], i32 -2147483648, i32 %[[R]]
define i32 @d2u(double %x) {
  %r = fptoui double %x to i32
  ret i32 %r
}

; CHECK-LABEL: define i8 @f2c(
; CHECK:         %[[R:.*]] = call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK:         trunc i32 %[[R]] to i8
define i8 @f2c(float %x) {
  %r = fptosi float %x to i8
  ret i8 %r
}
