; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two permutes of two registers each.
; RUN: %helicon-opt -stages=permute_in_registers %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK: define internal <32 x i32> @hl.permute.lanes(<32 x i32> %values, <32 x i32> %from) #[[ATTRIBUTES:[0-9]+]]
; CHECK-DAG: %[[LOW:.*]] = shufflevector <32 x i32> %values, <32 x i32> poison, <16 x i32> <i32 0, {{.*}} i32 15>
; CHECK: %[[A:.*]] = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(<16 x i32> %
; CHECK: %[[B:.*]] = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(<16 x i32> %
; CHECK: shufflevector <16 x i32> %[[A]], <16 x i32> %[[B]], <32 x i32>
; CHECK-NOT: alloca
; CHECK: attributes #[[ATTRIBUTES]] = { alwaysinline

define internal <32 x i32> @hl.permute.lanes(<32 x i32> %values, <32 x i32> %from) #0 {
  %table = alloca [32 x i32]
  ret <32 x i32> %values
}

define <32 x i32> @user(<32 x i32> %values, <32 x i32> %from) #0 {
  %r = call <32 x i32> @hl.permute.lanes(<32 x i32> %values, <32 x i32> %from)
  ret <32 x i32> %r
}

attributes #0 = { alwaysinline "target-cpu"="x86-64-v4" }
