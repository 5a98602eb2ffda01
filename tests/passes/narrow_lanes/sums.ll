; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A sum of 32 lanes by shuffles, of which one lane is used, takes half of the lanes from step to step; comparisons,
; conversions, selections and functions become narrow with what uses them.
; RUN: %helicon-opt -stages=narrow_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: @by_distances(
; CHECK-NOT: fadd <32 x float>
; CHECK: fadd <16 x float>
; CHECK: fadd <8 x float>
; CHECK: fadd <4 x float>
; CHECK: %[[PAIRS:.*]] = fadd <4 x float>
; CHECK: %[[NEXT:.*]] = shufflevector <4 x float> %[[PAIRS]], <4 x float> poison, <4 x i32> <i32 1, i32 poison, i32 poison, i32 poison>
; CHECK: %[[SUM:.*]] = fadd <4 x float> %[[PAIRS]], %[[NEXT]]
; CHECK: extractelement
; CHECK: ret float
define float @by_distances(<32 x float> %a) {
  %a16 = shufflevector <32 x float> %a, <32 x float> poison, <32 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %b = fadd <32 x float> %a, %a16
  %b8 = shufflevector <32 x float> %b, <32 x float> poison, <32 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %c = fadd <32 x float> %b, %b8
  %c4 = shufflevector <32 x float> %c, <32 x float> poison, <32 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 28, i32 29, i32 30, i32 31>
  %d = fadd <32 x float> %c, %c4
  %d2 = shufflevector <32 x float> %d, <32 x float> poison, <32 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 30, i32 31>
  %e = fadd <32 x float> %d, %d2
  %e1 = shufflevector <32 x float> %e, <32 x float> poison, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 31>
  %f = fadd <32 x float> %e, %e1
  %sum = extractelement <32 x float> %f, i64 0
  ret float %sum
}

; CHECK-LABEL: @others(
; CHECK-DAG: icmp slt <8 x i32>
; CHECK-DAG: sitofp <8 x i32> %{{.*}} to <8 x double>
; CHECK-DAG: call nnan <8 x double> @llvm.fma.v8f64(
; CHECK-DAG: select <8 x i1>
; CHECK-DAG: fneg <8 x double>
; CHECK: ret double
declare <32 x double> @llvm.fma.v32f64(<32 x double>, <32 x double>, <32 x double>)
define double @others(<32 x i32> %a, <32 x double> %x) {
  %small = icmp slt <32 x i32> %a, splat (i32 7)
  %number = sitofp <32 x i32> %a to <32 x double>
  %fused = call nnan <32 x double> @llvm.fma.v32f64(<32 x double> %number, <32 x double> %x, <32 x double> %x)
  %chosen = select <32 x i1> %small, <32 x double> %fused, <32 x double> %x
  %negative = fneg <32 x double> %chosen
  %one = extractelement <32 x double> %negative, i64 5
  ret double %one
}

; Lanes of the second vector, and of both.
; CHECK-LABEL: @of_two(
; CHECK: %[[A:.*]] = mul <4 x i32>
; CHECK: shufflevector <16 x i32> %{{.*}}, <16 x i32> %b, <4 x i32> <i32 2, i32 17, i32 poison, i32 poison>
; CHECK: ret i32
define i32 @of_two(<16 x i32> %a, <16 x i32> %b) {
  %m = mul <16 x i32> %a, %a
  %s = shufflevector <16 x i32> %m, <16 x i32> %b, <16 x i32> <i32 2, i32 17, i32 30, i32 31, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11>
  %x = extractelement <16 x i32> %s, i32 0
  %y = extractelement <16 x i32> %s, i32 1
  %z = add i32 %x, %y
  ret i32 %z
}
