; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Signed: raised to the lower end, cut off at the upper one, 0 for what is no number. Unsigned: such a number is raised
; to 0.
; RUN: %helicon-opt -stages=saturate_in_vectors %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: @to_signed(
; CHECK-NEXT:    %[[G:.*]] = fcmp ogt <32 x float> %x, splat (float 0xC1E0000000000000)
; CHECK-NEXT:    %[[R:.*]] = select <32 x i1> %[[G]], <32 x float> %x, <32 x float> splat (float 0xC1E0000000000000)
; CHECK-NEXT:    %[[C:.*]] = fptosi <32 x float> %[[R]] to <32 x i32>
; CHECK-NEXT:    %[[E:.*]] = fcmp oge <32 x float> %[[R]], splat (float 0x41E0000000000000)
; CHECK-NEXT:    %[[H:.*]] = select <32 x i1> %[[E]], <32 x i32> splat (i32 2147483647), <32 x i32> %[[C]]
; CHECK-NEXT:    %[[O:.*]] = fcmp ord <32 x float> %x, %x
; CHECK-NEXT:    select <32 x i1> %[[O]], <32 x i32> %[[H]], <32 x i32> zeroinitializer
define <32 x i32> @to_signed(<32 x float> %x) {
  %i = call <32 x i32> @llvm.fptosi.sat.v32i32.v32f32(<32 x float> %x)
  ret <32 x i32> %i
}

; CHECK-LABEL: @to_unsigned(
; CHECK-NEXT:    %[[G:.*]] = fcmp ogt <8 x double> %x, zeroinitializer
; CHECK-NEXT:    %[[R:.*]] = select <8 x i1> %[[G]], <8 x double> %x, <8 x double> zeroinitializer
; CHECK-NEXT:    %[[C:.*]] = fptoui <8 x double> %[[R]] to <8 x i64>
; CHECK-NEXT:    %[[E:.*]] = fcmp oge <8 x double> %[[R]], splat (double 0x43F0000000000000)
; CHECK-NEXT:    %[[H:.*]] = select <8 x i1> %[[E]], <8 x i64> splat (i64 -1), <8 x i64> %[[C]]
; CHECK-NEXT:    ret <8 x i64> %[[H]]
define <8 x i64> @to_unsigned(<8 x double> %x) {
  %i = call <8 x i64> @llvm.fptoui.sat.v8i64.v8f64(<8 x double> %x)
  ret <8 x i64> %i
}
