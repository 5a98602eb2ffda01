; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; x86-64-v3 estimates 12 bits, in registers of eight floats: a step of the third order makes a float of them.
; RUN: %helicon-opt -stages=estimate_roots %s | %FileCheck %s
; REQUIRES: helicon-opt

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare float @llvm.sqrt.f32(float)

; CHECK-LABEL: @vectors(
; CHECK-COUNT-2: call <8 x float> @llvm.x86.avx.rsqrt.ps.256(<8 x float>
; CHECK: %[[B:.*]] = bitcast <16 x float> %{{.*}} to <16 x i32>
; CHECK-NEXT: %[[S:.*]] = sub <16 x i32> %[[B]], splat (i32 8388608)
; CHECK: %[[H:.*]] = bitcast <16 x i32> %[[S]] to <16 x float>
; CHECK: %[[P:.*]] = fmul <16 x float> %[[H]], %[[Y:[0-9]+]]
; CHECK: %[[N:.*]] = fneg <16 x float> %[[P]]
; CHECK: %[[E:.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> %[[N]], <16 x float> %[[Y]], <16 x float> splat (float 5.000000e-01))
; CHECK: %[[Q:.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> %[[E]], <16 x float> splat (float 1.500000e+00), <16 x float> splat (float 1.000000e+00))
; CHECK: %[[U:.*]] = fmul <16 x float> %[[Y]], %[[E]]
; CHECK: call <16 x float> @llvm.fma.v16f32(<16 x float> %[[U]], <16 x float> %[[Q]], <16 x float> %[[Y]])
; CHECK-NOT: fdiv
define <16 x float> @vectors(<16 x float> %x) #0 {
  %square = fmul <16 x float> %x, %x
  %sum = fadd <16 x float> %square, splat (float 1.0)
  %root = call afn <16 x float> @llvm.sqrt.v16f32(<16 x float> %sum)
  %r = fdiv afn <16 x float> splat (float 1.0), %root
  ret <16 x float> %r
}

; CHECK-LABEL: @one(
; CHECK: call <4 x float> @llvm.x86.sse.rsqrt.ps(<4 x float>
; CHECK-NOT: fdiv
define float @one(float %x) #0 {
  %square = fmul float %x, %x
  %sum = fadd float %square, 1.0
  %root = call afn float @llvm.sqrt.f32(float %sum)
  %r = fdiv afn float 1.0, %root
  ret float %r
}

attributes #0 = { "target-cpu"="x86-64-v3" }
