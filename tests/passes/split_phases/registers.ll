; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; As many warps run jointly as the registers of the level hold the sums of: a warp has two registers of x86-64-v4, four of
; x86-64-v3 and eight of x86-64-v2.
; RUN: %helicon-opt -cpu=x86-64-v4 -stages=split_phases %s | %FileCheck %s --check-prefix=V4
; RUN: %helicon-opt -cpu=x86-64-v3 -stages=split_phases %s | %FileCheck %s --check-prefix=V3
; RUN: %helicon-opt -cpu=x86-64-v2 -stages=split_phases %s | %FileCheck %s --check-prefix=V2
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_block_over()
declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>)

; V4: define internal i32 @products.rows.phase0.joint8(
; V3-NOT: joint4(
; V3: define internal i32 @products.rows.phase0.joint2(
; V2-NOT: joint
define internal void @products.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %row = shl i32 %warp, 5
  %out = getelementptr float, ptr %p, i32 %row
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  %v = load <32 x float>, ptr %at, align 4
  %factor.at = getelementptr float, ptr %out, i32 %i
  %factor = load float, ptr %factor.at, align 4
  %first = insertelement <32 x float> poison, float %factor, i64 0
  %factors = shufflevector <32 x float> %first, <32 x float> poison, <32 x i32> zeroinitializer
  %more = call <32 x float> @llvm.fma.v32f32(<32 x float> %factors, <32 x float> %v, <32 x float> %sum)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 100
  br i1 %again, label %loop, label %done
done:
  store <32 x float> %more, ptr %out, align 4
  ret void
}

define void @products.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @products.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @products(ptr %p) #0 {
  ret void
}
attributes #0 = { "hl.flags"="32" }
!0 = !{}
