; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Sums and differences of a product are fused where both are marked; afterwards nothing is marked.
; RUN: %helicon-opt -stages=contract_products %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define float @sum(
; CHECK-NEXT:    %s = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK-NEXT:    ret float %s
define float @sum(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %c, %p
  ret float %s
}

; CHECK-LABEL: define double @difference(
; CHECK-NEXT:    %[[N:.*]] = fneg double %c
; CHECK-NEXT:    %s = call double @llvm.fma.f64(double %a, double %b, double %[[N]])
; CHECK-LABEL: define double @subtracted(
; CHECK-NEXT:    %[[M:.*]] = fneg double %a
; CHECK-NEXT:    %s = call double @llvm.fma.f64(double %[[M]], double %b, double %c)
define double @difference(double %a, double %b, double %c) {
  %p = fmul contract double %a, %b
  %s = fsub contract double %p, %c
  ret double %s
}
define double @subtracted(double %a, double %b, double %c) {
  %p = fmul contract double %a, %b
  %s = fsub contract double %c, %p
  ret double %s
}

; A product that is used twice, or that is not marked, stays.
; CHECK-LABEL: define float @stays(
; CHECK-NEXT:    %p = fmul float %a, %b
; CHECK-NEXT:    %s = fadd float %p, %c
; CHECK-NEXT:    %q = fmul float %s, %b
; CHECK-NEXT:    %t = fadd float %q, %p
define float @stays(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  %q = fmul float %s, %b
  %t = fadd contract float %q, %p
  ret float %t
}
