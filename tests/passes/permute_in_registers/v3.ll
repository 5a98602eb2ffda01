; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Eight lanes at a time: one permute for each register that the value may be in, and the right one of the four.
; RUN: %helicon-opt -stages=permute_in_registers %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK: define internal <32 x i32> @hl.permute.lanes(
; CHECK-COUNT-4: call <8 x i32> @llvm.x86.avx2.permd(
; CHECK: %[[SHIFTED:.*]] = shl <8 x i32> %{{.*}}, splat (i32 28)
; CHECK: icmp slt <8 x i32> %[[SHIFTED]], zeroinitializer
; CHECK: shl <8 x i32> %{{.*}}, splat (i32 27)
; CHECK: select <8 x i1>
; CHECK-COUNT-12: call <8 x i32> @llvm.x86.avx2.permd(
; CHECK-NOT: alloca

define internal <32 x i32> @hl.permute.lanes(<32 x i32> %values, <32 x i32> %from) #0 {
  %table = alloca [32 x i32]
  ret <32 x i32> %values
}

define <32 x i32> @user(<32 x i32> %values, <32 x i32> %from) #0 {
  %r = call <32 x i32> @hl.permute.lanes(<32 x i32> %values, <32 x i32> %from)
  ret <32 x i32> %r
}

attributes #0 = { alwaysinline "target-cpu"="x86-64-v3" }
