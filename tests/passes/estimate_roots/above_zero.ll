; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Squares and a constant add up to what is well above zero: infinity alone needs care, before the estimate is used, and the
; argument is halved in integers.
; Without the constant, or with a negative or tiny one, the sum may be zero, or half of it subnormal.
; RUN: %helicon-opt -stages=estimate_roots %s | %FileCheck %s
; REQUIRES: helicon-opt

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)

; CHECK-LABEL: @distance(
; CHECK: call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(
; CHECK: %[[B:.*]] = bitcast <16 x float> %sum to <16 x i32>
; CHECK: %[[M:.*]] = call <16 x i32> @llvm.umin.v16i32(<16 x i32> %[[B]], <16 x i32> splat (i32 2139095039))
; CHECK: %[[S:.*]] = sub <16 x i32> %[[M]], splat (i32 8388608)
; CHECK: %[[H:.*]] = bitcast <16 x i32> %[[S]] to <16 x float>
; CHECK: %[[P:.*]] = fmul <16 x float> %[[H]], %[[Y:[0-9]+]]
; CHECK: %[[N:.*]] = fneg <16 x float> %[[P]]
; CHECK: %[[E:.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> %[[N]], <16 x float> %[[Y]], <16 x float> splat (float 5.000000e-01))
; CHECK: call <16 x float> @llvm.fma.v16f32(<16 x float> %[[Y]], <16 x float> %[[E]], <16 x float> %[[Y]])
; CHECK-NOT: fcmp
define <16 x float> @distance(<16 x float> %x, <16 x float> %y) #0 {
  %xx = fmul <16 x float> %x, %x
  %both = call <16 x float> @llvm.fma.v16f32(<16 x float> %y, <16 x float> %y, <16 x float> %xx)
  %sum = fadd <16 x float> %both, splat (float 0x3F847AE140000000)
  %root = call afn <16 x float> @llvm.sqrt.v16f32(<16 x float> %sum)
  %r = fdiv afn <16 x float> splat (float 1.0), %root
  ret <16 x float> %r
}

; CHECK-LABEL: @length(
; CHECK: fcmp olt
define <16 x float> @length(<16 x float> %x, <16 x float> %y) #0 {
  %xx = fmul <16 x float> %x, %x
  %both = call <16 x float> @llvm.fma.v16f32(<16 x float> %y, <16 x float> %y, <16 x float> %xx)
  %root = call afn <16 x float> @llvm.sqrt.v16f32(<16 x float> %both)
  %r = fdiv afn <16 x float> splat (float 1.0), %root
  ret <16 x float> %r
}

; CHECK-LABEL: @less(
; CHECK: fcmp olt
define <16 x float> @less(<16 x float> %x) #0 {
  %xx = fmul <16 x float> %x, %x
  %sum = fadd <16 x float> %xx, splat (float -1.0)
  %root = call afn <16 x float> @llvm.sqrt.v16f32(<16 x float> %sum)
  %r = fdiv afn <16 x float> splat (float 1.0), %root
  ret <16 x float> %r
}

; CHECK-LABEL: @tiny(
; CHECK: fcmp olt
define <16 x float> @tiny(<16 x float> %x) #0 {
  %xx = fmul <16 x float> %x, %x
  %sum = fadd <16 x float> %xx, splat (float 0x3800000000000000)
  %root = call afn <16 x float> @llvm.sqrt.v16f32(<16 x float> %sum)
  %r = fdiv afn <16 x float> splat (float 1.0), %root
  ret <16 x float> %r
}

attributes #0 = { "target-cpu"="x86-64-v4" }
