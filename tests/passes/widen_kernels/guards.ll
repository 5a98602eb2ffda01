; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Behind a guard, a warp of which all lanes pass runs a form without masks; one that parts runs the form with masks. The
; last lane tells for all of them.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK-LABEL: define internal void @once.flat.rows.full(
; CHECK:       entry:
; CHECK:         %[[LAST:.*]] = add i32 %tid.x, 31
; CHECK:         %[[ALL:.*]] = icmp ult i32 %[[LAST]], %{{.*}}
; CHECK:         br i1 %[[ALL]], label %entry.all, label %entry.mixed
; CHECK:       work:
; CHECK-NOT:     masked.store
; CHECK:         store <32 x i32>
; CHECK:       work.apart:
; CHECK:         call void @llvm.masked.store.v32i32.p0(
; CHECK:       entry.mixed:
; CHECK:         icmp uge i32 %tid.x, %{{.*}}
; CHECK:         br i1 %{{.*}}, label %entry.none, label
define ptx_kernel void @once(ptr %p, i32 %n) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %i, %n
  br i1 %in, label %work, label %done
work:
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %place, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr %place, align 4
  br label %done
done:
  ret void
}

; Rounds of a loop too, until the round in which the warp parts.
; CHECK-LABEL: define internal void @rounds.flat.rows.full(
; CHECK:       body:
; CHECK-NOT:     masked.store
; CHECK:         store <32 x i32>
; CHECK:       body.apart:
; CHECK:         call void @llvm.masked.store.v32i32.p0(
define ptx_kernel void @rounds(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %step = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %entry ], [ %next, %body ]
  %in = icmp slt i32 %i, %n
  br i1 %in, label %body, label %done
body:
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %place, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr %place, align 4
  %next = add nsw i32 %i, %step
  br label %head
done:
  ret void
}

; Where data decide there is one form, and the lanes go on together where they meet.
; CHECK-LABEL: define internal void @data.flat.rows.full(
; CHECK-NOT:     .apart
; CHECK:       odd:
; CHECK:         call void @llvm.masked.store.v32i32.p0(
; CHECK:       meet:
; CHECK-NOT:     masked.store
; CHECK:         store <32 x i32>
; CHECK-LABEL: define internal void @data.flat.rows(
define ptx_kernel void @data(ptr %p, ptr %q) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %i to i64
  %from = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %from, align 4
  %bit = and i32 %v, 1
  %is_odd = icmp ne i32 %bit, 0
  br i1 %is_odd, label %odd, label %meet
odd:
  store i32 0, ptr %from, align 4
  br label %meet
meet:
  %to = getelementptr i32, ptr %q, i64 %wide
  store i32 %v, ptr %to, align 4
  ret void
}

; A piece of a row under a mask that is shorter than a register is filled up with lanes that are not there.
; CHECK-LABEL: define internal void @bytes.flat.rows.8(
; CHECK:         shufflevector <8 x i1> %{{.*}}, <8 x i1> zeroinitializer, <16 x i32>
; CHECK:         call void @llvm.masked.store.v16i8.p0(
; CHECK-NOT:     masked.store.v8i8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
define ptx_kernel void @bytes(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %in = icmp ult i32 %x, %n
  br i1 %in, label %work, label %done
work:
  %first = mul nuw nsw i32 %y, 100
  %i = add nuw nsw i32 %first, %x
  %wide = zext i32 %i to i64
  %place = getelementptr i8, ptr %p, i64 %wide
  store i8 7, ptr %place, align 1
  br label %done
done:
  ret void
}
