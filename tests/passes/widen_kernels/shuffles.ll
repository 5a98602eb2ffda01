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
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

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

; What one lane tells all is the same for all: the branch stays one, and the loop's turns are counted once.
; CHECK-LABEL: define internal void @told_by_one.flat.rows.full(
; CHECK:       %[[LEAST:.*]] = extractelement <32 x i32> %{{.*}}, i32 3
; CHECK:       freeze i32 %[[LEAST]]
; CHECK:       icmp slt i32
; CHECK-NOT:   icmp slt <32 x i32>
; CHECK:       ret void
define ptx_kernel void @told_by_one(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %place, align 4
  %turns = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 3, i32 31)
  %any = icmp slt i32 %turns, 9
  br i1 %any, label %write, label %end
write:
  store i32 %turns, ptr %place, align 4
  br label %end
end:
  ret void
}

; A lane that differs from lane to lane tells each something else.
; CHECK-LABEL: define internal void @told_by_many.flat.rows.full(
; CHECK:       call <32 x i32> @hl.permute.lanes(
; CHECK-NOT:   extractelement
; CHECK:       ret void
define ptx_kernel void @told_by_many(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %place, align 4
  %told = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 %v, i32 31)
  store i32 %told, ptr %place, align 4
  ret void
}
