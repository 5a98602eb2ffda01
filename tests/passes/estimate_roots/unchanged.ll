; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Exact roots and divisions, other numerators, doubles, and on other processors what may not be well above zero stay as
; they are.
; RUN: %helicon-opt -stages=estimate_roots %s | %FileCheck %s
; REQUIRES: helicon-opt

declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)

; CHECK-NOT: llvm.x86
define float @exact(float %x) #0 {
  %root = call float @llvm.sqrt.f32(float %x)
  %r = fdiv afn float 1.0, %root
  %other = call afn float @llvm.sqrt.f32(float %r)
  %s = fdiv float 1.0, %other
  %t = fdiv afn float 2.0, %other
  %u = fadd float %s, %t
  ret float %u
}

define double @wide(double %x) #0 {
  %root = call afn double @llvm.sqrt.f64(double %x)
  %r = fdiv afn double 1.0, %root
  ret double %r
}

; It may be zero or subnormal.
define float @older(float %x) #1 {
  %root = call afn float @llvm.sqrt.f32(float %x)
  %r = fdiv afn float 1.0, %root
  ret float %r
}

define float @oldest(float %x) #2 {
  %square = fmul float %x, %x
  %sum = fadd float %square, 1.0
  %root = call afn float @llvm.sqrt.f32(float %sum)
  %r = fdiv afn float 1.0, %root
  ret float %r
}

attributes #0 = { "target-cpu"="x86-64-v4" }
attributes #1 = { "target-cpu"="x86-64-v3" }
attributes #2 = { "target-cpu"="x86-64-v2" }
