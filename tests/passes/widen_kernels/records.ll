; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Members of neighbouring records are read by one wide load and shuffles, and written by one wide store; not the bytes
; behind the last member read, nor those between members written. A store in between keeps loads apart,
; and a load keeps stores apart, unless one of both is in shared memory and the other one is where a parameter points.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @swap.flat.rows.full(
; CHECK:         %[[ALL:.*]] = call <96 x i32> @llvm.masked.load.v96i32.p0({{.*}}<96 x i1> <{{(i1 true, )*}}i1 false>
; CHECK:         shufflevector <96 x i32> %[[ALL]], <96 x i32> poison, <32 x i32> <i32 0, i32 3, i32 6,
; CHECK:         shufflevector <96 x i32> %[[ALL]], <96 x i32> poison, <32 x i32> <i32 1, i32 4, i32 7,
; CHECK-NOT:     gather
; CHECK:         call void @llvm.masked.store.v96i32.p0({{.*}}<96 x i1> <i1 true, i1 true, i1 false, i1 true, i1 true, i1 false,
; CHECK-NOT:     scatter
; CHECK-LABEL: define internal void @swap.flat.rows(
define ptx_kernel void @swap(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %x to i64
  %a.place = getelementptr [12 x i8], ptr %p, i64 %i
  %a = load i32, ptr %a.place, align 4
  %b.place = getelementptr i8, ptr %a.place, i64 4
  %b = load i32, ptr %b.place, align 4
  store i32 %b, ptr %a.place, align 4
  store i32 %a, ptr %b.place, align 4
  ret void
}

; CHECK-LABEL: define internal void @apart.flat.rows.full(
; CHECK-COUNT-2: call <64 x i32> @llvm.masked.load.v64i32.p0(
; CHECK-LABEL: define internal void @apart.flat.rows(
define ptx_kernel void @apart(ptr %p, ptr %q) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %x to i64
  %a.place = getelementptr [8 x i8], ptr %p, i64 %i
  %a = load i32, ptr %a.place, align 4
  %to = getelementptr i32, ptr %q, i64 %i
  store i32 %a, ptr %to, align 4
  %b.place = getelementptr i8, ptr %a.place, i64 4
  %b = load i32, ptr %b.place, align 4
  %sum = add i32 %a, %b
  store i32 %sum, ptr %to, align 4
  ret void
}

declare ptr @hl.self() memory(none) nounwind willreturn nosync

; CHECK-LABEL: define internal void @tile.flat.rows.full(
; CHECK:         call <64 x i32> @llvm.masked.load.v64i32.p0({{.*}}<64 x i1> splat (i1 true)
; CHECK-NOT:     masked
; CHECK:         store <64 x i32>
; CHECK-NOT:     masked
; CHECK-LABEL: define internal void @tile.flat.rows(
define ptx_kernel void @tile(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %x to i64
  %self = call ptr @hl.self()
  %window.place = getelementptr inbounds i8, ptr %self, i64 56
  %window = load ptr, ptr %window.place, align 8, !invariant.load !0, !noundef !0
  %a.place = getelementptr [8 x i8], ptr %p, i64 %i
  %a = load i32, ptr %a.place, align 4
  %a.to = getelementptr [8 x i8], ptr %window, i64 %i
  store i32 %a, ptr %a.to, align 4
  %b.place = getelementptr i8, ptr %a.place, i64 4
  %b = load i32, ptr %b.place, align 4
  %b.to = getelementptr i8, ptr %a.to, i64 4
  store i32 %b, ptr %b.to, align 4
  ret void
}

; An address from memory may be one in shared memory.
; CHECK-LABEL: define internal void @tile_of_any.flat.rows.full(
; CHECK-COUNT-2: call void @llvm.masked.store.v64i32.p0(
; CHECK-LABEL: define internal void @tile_of_any.flat.rows(
define ptx_kernel void @tile_of_any(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %x to i64
  %self = call ptr @hl.self()
  %window.place = getelementptr inbounds i8, ptr %self, i64 56
  %window = load ptr, ptr %window.place, align 8, !invariant.load !0, !noundef !0
  %any = load ptr, ptr %p, align 8
  %a.place = getelementptr [8 x i8], ptr %any, i64 %i
  %a = load i32, ptr %a.place, align 4
  %a.to = getelementptr [8 x i8], ptr %window, i64 %i
  store i32 %a, ptr %a.to, align 4
  %b.place = getelementptr i8, ptr %a.place, i64 4
  %b = load i32, ptr %b.place, align 4
  %b.to = getelementptr i8, ptr %a.to, i64 4
  store i32 %b, ptr %b.to, align 4
  ret void
}

; Indices whose sums do not wrap around differ by constants, whoever else uses them.
; CHECK-LABEL: define internal void @sums.flat.rows.full(
; CHECK:         call <64 x i32> @llvm.masked.load.v64i32.p0({{.*}}<64 x i1> splat (i1 true)
; CHECK-NOT:     masked
; CHECK:         store <64 x i32>
; CHECK-NOT:     masked
; CHECK-LABEL: define internal void @sums.flat.rows(
define ptx_kernel void @sums(ptr %p, ptr %q, i32 %from) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %twice = shl nuw nsw i32 %x, 1
  %i = add nsw i32 %from, %twice
  %j = add nsw i32 %i, 1
  %i.wide = sext i32 %i to i64
  %j.wide = sext i32 %j to i64
  %a.place = getelementptr i32, ptr %p, i64 %i.wide
  %b.place = getelementptr i32, ptr %p, i64 %j.wide
  %a = load i32, ptr %a.place, align 4
  %b = load i32, ptr %b.place, align 4
  %a.to = getelementptr i32, ptr %q, i64 %i.wide
  %b.to = getelementptr i32, ptr %q, i64 %j.wide
  store i32 %b, ptr %a.to, align 4
  store i32 %a, ptr %b.to, align 4
  ret void
}

!0 = !{}
