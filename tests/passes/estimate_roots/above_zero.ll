; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Squares and a constant add up to what is well above zero: the argument is halved in integers, infinity to a finite number, so
; that nothing needs care.
; Without the constant, or with a negative or tiny one, the sum may be zero, or half of it subnormal.
; RUN: %helicon-opt -stages=estimate_roots %s | %FileCheck %s
; REQUIRES: helicon-opt

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)

; CHECK-LABEL: @distance(
; CHECK: call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(
; CHECK: %[[B:.*]] = bitcast <16 x float> %sum to <16 x i32>
; CHECK-NEXT: %[[S:.*]] = sub <16 x i32> %[[B]], splat (i32 8388608)
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

; Each term of a sum is looked at once, however often it is added: this took two to the power of 48 steps.
; CHECK-LABEL: @doubled(
; CHECK: fcmp olt
define <16 x float> @doubled(<16 x float> %x) #0 {
  %d0 = fmul <16 x float> %x, %x
  %d1 = fadd <16 x float> %d0, %d0
  %d2 = fadd <16 x float> %d1, %d1
  %d3 = fadd <16 x float> %d2, %d2
  %d4 = fadd <16 x float> %d3, %d3
  %d5 = fadd <16 x float> %d4, %d4
  %d6 = fadd <16 x float> %d5, %d5
  %d7 = fadd <16 x float> %d6, %d6
  %d8 = fadd <16 x float> %d7, %d7
  %d9 = fadd <16 x float> %d8, %d8
  %d10 = fadd <16 x float> %d9, %d9
  %d11 = fadd <16 x float> %d10, %d10
  %d12 = fadd <16 x float> %d11, %d11
  %d13 = fadd <16 x float> %d12, %d12
  %d14 = fadd <16 x float> %d13, %d13
  %d15 = fadd <16 x float> %d14, %d14
  %d16 = fadd <16 x float> %d15, %d15
  %d17 = fadd <16 x float> %d16, %d16
  %d18 = fadd <16 x float> %d17, %d17
  %d19 = fadd <16 x float> %d18, %d18
  %d20 = fadd <16 x float> %d19, %d19
  %d21 = fadd <16 x float> %d20, %d20
  %d22 = fadd <16 x float> %d21, %d21
  %d23 = fadd <16 x float> %d22, %d22
  %d24 = fadd <16 x float> %d23, %d23
  %d25 = fadd <16 x float> %d24, %d24
  %d26 = fadd <16 x float> %d25, %d25
  %d27 = fadd <16 x float> %d26, %d26
  %d28 = fadd <16 x float> %d27, %d27
  %d29 = fadd <16 x float> %d28, %d28
  %d30 = fadd <16 x float> %d29, %d29
  %d31 = fadd <16 x float> %d30, %d30
  %d32 = fadd <16 x float> %d31, %d31
  %d33 = fadd <16 x float> %d32, %d32
  %d34 = fadd <16 x float> %d33, %d33
  %d35 = fadd <16 x float> %d34, %d34
  %d36 = fadd <16 x float> %d35, %d35
  %d37 = fadd <16 x float> %d36, %d36
  %d38 = fadd <16 x float> %d37, %d37
  %d39 = fadd <16 x float> %d38, %d38
  %d40 = fadd <16 x float> %d39, %d39
  %d41 = fadd <16 x float> %d40, %d40
  %d42 = fadd <16 x float> %d41, %d41
  %d43 = fadd <16 x float> %d42, %d42
  %d44 = fadd <16 x float> %d43, %d43
  %d45 = fadd <16 x float> %d44, %d44
  %d46 = fadd <16 x float> %d45, %d45
  %d47 = fadd <16 x float> %d46, %d46
  %d48 = fadd <16 x float> %d47, %d47
  %root = call afn <16 x float> @llvm.sqrt.v16f32(<16 x float> %d48)
  %r = fdiv afn <16 x float> splat (float 1.0), %root
  ret <16 x float> %r
}

attributes #0 = { "target-cpu"="x86-64-v4" }
