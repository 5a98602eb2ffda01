; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A shuffle by a known distance is a shuffle of the vector; one by lanes that are known only at run time, a permute in
; registers (permute_in_registers).
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)

; CHECK-LABEL: define internal void @known.flat.rows.full(
; CHECK:       shufflevector <32 x float> %{{.*}}, <32 x float> poison, <32 x i32> <i32 16, i32 17,
; CHECK:       ret void
define ptx_kernel void @known(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %place = getelementptr float, ptr %p, i64 %wide
  %v = load float, ptr %place, align 4
  %moved = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v, i32 16, i32 31)
  store float %moved, ptr %place, align 4
  ret void
}

; CHECK-LABEL: define internal void @named.flat.rows.full(
; CHECK-NOT:   gather
; CHECK:       %[[BITS:.*]] = bitcast <32 x float> %{{.*}} to <32 x i32>
; CHECK:       %[[MOVED:.*]] = call <32 x i32> @hl.permute.lanes(<32 x i32> %[[BITS]], <32 x i32>
; CHECK:       bitcast <32 x i32> %[[MOVED]] to <32 x float>
; CHECK:       ret void
define ptx_kernel void @named(ptr %p, i32 %lane) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %place = getelementptr float, ptr %p, i64 %wide
  %v = load float, ptr %place, align 4
  %moved = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %v, i32 %lane, i32 31)
  store float %moved, ptr %place, align 4
  ret void
}
