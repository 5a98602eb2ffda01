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

; A product that is not only a term of sums, or that is not marked, stays.
; CHECK-LABEL: define float @stays(
; CHECK-NEXT:    %p = fmul float %a, %b
; CHECK-NEXT:    %s = fadd float %p, %c
; CHECK-NEXT:    %r = fdiv float %p, %c
; CHECK-NEXT:    %q = fmul float %s, %b
; CHECK-NEXT:    %t = fadd float %q, %r
; CHECK-NEXT:    ret float %t
define float @stays(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  %r = fdiv float %p, %c
  %q = fmul float %s, %b
  %t = fadd contract float %q, %r
  ret float %t
}

; Of two products the one whose operands are ready first is fused.
; CHECK-LABEL: define float @earlier(
; CHECK:         %[[Q:.*]] = fmul float %late, %c
; CHECK:         call float @llvm.fma.f32(float %early, float %c, float %[[Q]])
define float @earlier(ptr %x, float %c) {
  %early = load float, ptr %x
  %y = getelementptr float, ptr %x, i64 1
  %late = load float, ptr %y
  %q = fmul contract float %late, %c
  %p = fmul contract float %early, %c
  %s = fadd contract float %q, %p
  ret float %s
}

; The order of a difference is its own.
; CHECK-LABEL: define float @difference_of_products(
; CHECK:         %[[N:.*]] = fneg float %p
; CHECK:         call float @llvm.fma.f32(float %late, float %c, float %[[N]])
define float @difference_of_products(ptr %x, float %c) {
  %early = load float, ptr %x
  %y = getelementptr float, ptr %x, i64 1
  %late = load float, ptr %y
  %q = fmul contract float %late, %c
  %p = fmul contract float %early, %c
  %s = fsub contract float %q, %p
  ret float %s
}

; A product of several uses goes into all of them, in other blocks too.
; CHECK-LABEL: define void @shared(
; CHECK-NOT:     fmul
; CHECK:         %s = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK:         %t = call float @llvm.fma.f32(float %{{.*}}, float %b, float %c)
; CHECK:         ret void
define void @shared(ptr %o, float %a, float %b, float %c, i1 %k) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  store float %s, ptr %o
  br i1 %k, label %then, label %end
then:
  %t = fsub contract float %c, %p
  store float %t, ptr %o
  br label %end
end:
  ret void
}

; One that a sum has already taken as its addend stays for all.
; CHECK-LABEL: define void @addend(
; CHECK:         %p = fmul float %a, %b
; CHECK:         %s = fadd float %p, %c
; CHECK:         %u = call float @llvm.fma.f32(float %{{.*}}, float %d, float %p)
define void @addend(ptr %o, float %a, float %b, float %c, float %d) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  store volatile float %s, ptr %o
  %q = fmul contract float %c, %d
  %u = fsub contract float %p, %q
  store volatile float %u, ptr %o
  ret void
}

; CHECK-LABEL: define float @twice(
; CHECK:         call float @llvm.fma.f32(float %a, float %b, float %p)
define float @twice(float %a, float %b) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %p
  ret float %s
}

; CHECK-LABEL: define float @negated(
; CHECK-NEXT:    %[[A:.*]] = fneg float %a
; CHECK-NEXT:    %s = call float @llvm.fma.f32(float %[[A]], float %b, float %c)
; CHECK-NEXT:    ret float
define float @negated(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %n = fneg contract float %p
  %s = fadd contract float %n, %c
  ret float %s
}
