; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Squares and a positive constant add up to what is above zero: infinity alone needs care, before the estimate is used.
; Without the constant, or with one that is not positive, the sum may be zero.
; RUN: %helicon-opt -stages=estimate_roots %s | %FileCheck %s
; REQUIRES: helicon-opt

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)

; CHECK-LABEL: @distance(
; CHECK: %[[Y:.*]] = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(
; CHECK: %[[B:.*]] = bitcast <16 x float> %sum to <16 x i32>
; CHECK: %[[M:.*]] = call <16 x i32> @llvm.umin.v16i32(<16 x i32> %[[B]], <16 x i32> splat (i32 2139095039))
; CHECK: %[[F:.*]] = bitcast <16 x i32> %[[M]] to <16 x float>
; CHECK: fmul <16 x float> %[[F]]
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

attributes #0 = { "target-cpu"="x86-64-v4" }
