; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The reciprocal of a root, where both may be approximated, is the processor's estimate and one step of Newton's method:
; of one float, of half a register, and of two registers.
; RUN: %helicon-opt -stages=estimate_roots %s | %FileCheck %s
; REQUIRES: helicon-opt

declare float @llvm.sqrt.f32(float)
declare <6 x float> @llvm.sqrt.v6f32(<6 x float>)
declare <32 x float> @llvm.sqrt.v32f32(<32 x float>)

; CHECK-LABEL: @one(
; CHECK-NEXT: %[[FOUR:.*]] = insertelement <4 x float> poison, float %x, i64 0
; CHECK-NEXT: %[[PACK:.*]] = call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(<4 x float> %[[FOUR]], <4 x float> poison, i8 -1)
; CHECK-NEXT: %[[Y:.*]] = extractelement <4 x float> %[[PACK]], i64 0
; CHECK-NEXT: %[[P:.*]] = fmul float %x, %[[Y]]
; CHECK-NEXT: %[[N:.*]] = fneg float %[[P]]
; CHECK-NEXT: %[[E:.*]] = call float @llvm.fma.f32(float %[[N]], float %[[Y]], float 1.000000e+00)
; CHECK-NEXT: %[[L:.*]] = fcmp olt float %[[E]], 1.000000e+00
; CHECK-NEXT: %[[K:.*]] = select i1 %[[L]], float %[[E]], float 1.000000e+00
; CHECK-NEXT: %[[H:.*]] = fmul float %[[Y]], 5.000000e-01
; CHECK-NEXT: %[[B:.*]] = call float @llvm.fma.f32(float %[[H]], float %[[K]], float %[[Y]])
; CHECK-NEXT: ret float %[[B]]
define float @one(float %x) #0 {
  %root = call afn float @llvm.sqrt.f32(float %x)
  %r = fdiv afn float 1.0, %root
  ret float %r
}

; CHECK-LABEL: @six(
; CHECK: call <8 x float> @llvm.x86.avx512.rsqrt14.ps.256(
; CHECK: call <6 x float> @llvm.fma.v6f32(
define <6 x float> @six(<6 x float> %x) #0 {
  %root = call afn <6 x float> @llvm.sqrt.v6f32(<6 x float> %x)
  %r = fdiv afn <6 x float> splat (float 1.0), %root
  ret <6 x float> %r
}

; CHECK-LABEL: @warp(
; CHECK-COUNT-2: call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(
; CHECK-NOT: sqrt.v32f32(
; CHECK-COUNT-2: call <32 x float> @llvm.fma.v32f32(
define <32 x float> @warp(<32 x float> %x) #0 {
  %root = call afn <32 x float> @llvm.sqrt.v32f32(<32 x float> %x)
  %r = fdiv afn <32 x float> splat (float 1.0), %root
  ret <32 x float> %r
}

attributes #0 = { "target-cpu"="x86-64-v4" }
