; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a kernel only writes goes past the caches in whole lines where the launch writes much (BlockState::much, at 52);
; not what it reads, and nothing in a kernel that may tell other threads of it.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.membar.gl()

; CHECK-LABEL: define internal void @copy.flat.rows.full(
; CHECK:         %[[AT:.*]] = getelementptr i8, ptr %1, i64 52
; CHECK:         %[[MUCH:.*]] = load i32, ptr %[[AT]]
; CHECK:         %[[ENOUGH:.*]] = icmp uge i32 4, %[[MUCH]]
; CHECK:         %[[LOW:.*]] = and i64 %{{.*}}, 63
; CHECK:         %[[LINE:.*]] = icmp eq i64 %[[LOW]], 0
; CHECK:         %[[STREAM:.*]] = and i1 %[[ENOUGH]], %[[LINE]]
; CHECK:         br i1 %[[STREAM]]
; CHECK:         store <32 x float> %[[V:.*]], ptr %{{.*}}, align 64, !nontemporal
; CHECK:         store <32 x float> %[[V]], ptr %{{.*}}, align 4
; CHECK-LABEL: define internal void @copy.flat.rows(
; CHECK-NOT:     !nontemporal
; CHECK-LABEL: define hidden void @copy.block(
define ptx_kernel void @copy(ptr %in, ptr %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %i to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %v = load float, ptr %from, align 4
  store float %v, ptr %to, align 4
  ret void
}

; CHECK-LABEL: define internal void @in_place.flat.rows.full(
; CHECK-NOT:     !nontemporal
; CHECK-LABEL: define hidden void @in_place.block(
define ptx_kernel void @in_place(ptr %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %i to i64
  %to = getelementptr float, ptr %out, i64 %wide
  %v = load float, ptr %to, align 4
  %w = fadd float %v, 1.0
  store float %w, ptr %to, align 4
  ret void
}

; CHECK-LABEL: define internal void @fenced.flat.rows.full(
; CHECK-NOT:     !nontemporal
; CHECK-LABEL: define hidden void @fenced.block(
define ptx_kernel void @fenced(ptr %in, ptr %out, ptr %flag) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %i to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %v = load float, ptr %from, align 4
  store float %v, ptr %to, align 4
  call void @llvm.nvvm.membar.gl()
  store i32 1, ptr %flag, align 4
  ret void
}

; CHECK-LABEL: define internal void @counts.flat.rows.full(
; CHECK-NOT:     !nontemporal
; CHECK-LABEL: define hidden void @counts.block(
define ptx_kernel void @counts(ptr %in, ptr %out, ptr %count) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %i to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %v = load float, ptr %from, align 4
  store float %v, ptr %to, align 4
  %old = atomicrmw add ptr %count, i32 1 monotonic
  ret void
}

; Two bytes of 32 lanes are a line, one byte is half of one.
; CHECK-LABEL: define internal void @shorts.flat.rows.full(
; CHECK:         store <32 x i16> %{{.*}}, align 64, !nontemporal
; CHECK-LABEL: define internal void @bytes.flat.rows.full(
; CHECK-NOT:     !nontemporal
; CHECK-LABEL: define hidden void @bytes.block(
define ptx_kernel void @shorts(ptr %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = trunc i32 %i to i16
  %wide = zext i32 %i to i64
  %to = getelementptr i16, ptr %out, i64 %wide
  store i16 %v, ptr %to, align 2
  ret void
}
define ptx_kernel void @bytes(ptr %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = trunc i32 %i to i8
  %wide = zext i32 %i to i64
  %to = getelementptr i8, ptr %out, i64 %wide
  store i8 %v, ptr %to, align 1
  ret void
}

; In a loop, what a thread writes is known when the loop is entered.
; CHECK-LABEL: define internal void @rounds.flat.rows.full(
; CHECK:         %[[LENGTH:.*]] = sub i64
; CHECK:         %[[ALL:.*]] = mul i64 %[[LENGTH]], 8
; CHECK:         %[[ENOUGH:.*]] = icmp sge i64 %[[ALL]],
; CHECK:         store <32 x double> %{{.*}}, align 64, !nontemporal
; CHECK-LABEL: define internal void @rounds.flat.rows(
define ptx_kernel void @rounds(ptr %in, ptr %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %step = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %entry ], [ %next, %body ]
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %done
body:
  %wide = sext i32 %i to i64
  %from = getelementptr double, ptr %in, i64 %wide
  %to = getelementptr double, ptr %out, i64 %wide
  %v = load double, ptr %from, align 8
  store double %v, ptr %to, align 8
  %next = add nsw i32 %i, %step
  br label %head
done:
  ret void
}

; A store beside a loop is not what takes time.
; CHECK-LABEL: define internal void @sum.flat.rows.full(
; CHECK-NOT:     !nontemporal
; CHECK-LABEL: define hidden void @sum.block(
define ptx_kernel void @sum(ptr %in, ptr %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %at = getelementptr float, ptr %in, i32 %k
  %v = load float, ptr %at, align 4
  %t = fadd float %s, %v
  %next = add nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %wide = zext i32 %tid to i64
  %to = getelementptr float, ptr %out, i64 %wide
  store float %t, ptr %to, align 4
  ret void
}
