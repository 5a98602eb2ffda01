; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Divisions of vectors go through double, those of 16 bits through float; one divisor for all lanes has one reciprocal;
; quotient and remainder of the same numbers share their division.
; RUN: %helicon-opt -stages=divide_in_floats %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: @own(
; CHECK-NEXT:    %[[A:.*]] = uitofp <32 x i32> %a to <32 x double>
; CHECK-NEXT:    %[[B:.*]] = uitofp <32 x i32> %b to <32 x double>
; CHECK-NEXT:    %[[D:.*]] = fdiv <32 x double> %[[A]], %[[B]]
; CHECK-NEXT:    %[[Q:.*]] = fptoui <32 x double> %[[D]] to <32 x i32>
; CHECK-NEXT:    ret <32 x i32> %[[Q]]
define <32 x i32> @own(<32 x i32> %a, <32 x i32> %b) {
  %q = udiv <32 x i32> %a, %b
  ret <32 x i32> %q
}

; CHECK-LABEL: @one_divisor(
; CHECK:         %[[A:.*]] = sitofp <8 x i32> %a to <8 x double>
; CHECK:         %[[B:.*]] = sitofp i32 %b to double
; CHECK:         %[[R:.*]] = fdiv double 1.000000e+00, %[[B]]
; CHECK:         %[[H:.*]] = call <8 x double> @llvm.copysign.v8f64(<8 x double> splat (double 5.000000e-01), <8 x double> %[[A]])
; CHECK:         %[[W:.*]] = fadd <8 x double> %[[A]], %[[H]]
; CHECK:         %[[P:.*]] = fmul <8 x double> %[[W]],
; CHECK:         %[[Q:.*]] = fptosi <8 x double> %[[P]] to <8 x i32>
; CHECK-NOT:     fdiv
; CHECK:         %[[M:.*]] = mul <8 x i32> %[[Q]], %bs
; CHECK:         %[[REM:.*]] = sub <8 x i32> %a, %[[M]]
; CHECK:         xor <8 x i32> %[[Q]], %[[REM]]
define <8 x i32> @one_divisor(<8 x i32> %a, i32 %b) {
  %first = insertelement <8 x i32> poison, i32 %b, i64 0
  %bs = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %q = sdiv <8 x i32> %a, %bs
  %r = srem <8 x i32> %a, %bs
  %both = xor <8 x i32> %q, %r
  ret <8 x i32> %both
}

; What is known not to be negative takes the signed conversions.
; CHECK-LABEL: @short(
; CHECK:         sitofp <16 x i16> %{{.*}} to <16 x float>
; CHECK:         fptosi <16 x float> %{{.*}} to <16 x i16>
define <16 x i16> @short(<16 x i16> %a, <16 x i16> %b) {
  %x = lshr <16 x i16> %a, splat (i16 1)
  %y = lshr <16 x i16> %b, splat (i16 1)
  %q = udiv <16 x i16> %x, %y
  ret <16 x i16> %q
}
