; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that goes through memory in steps that are not known stops at the end of each round, where the launch touches
; much: the warps of the block do one round after the other. What they read next is prefetched.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s --check-prefix=WIDE
; RUN: %helicon-opt -stages=widen_kernels,split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare ptr @hl.self() memory(none) nounwind willreturn nosync

; Four bytes read and four written in each round; 128 threads at least.
; WIDE-LABEL: define internal void @k.flat.rows.full(
; WIDE:         %[[MANY:.*]] = icmp uge i32 %{{.*}}, 128
; WIDE:         %[[ALL:.*]] = mul i64 %{{.*}}, 8
; WIDE:         %[[MUCH:.*]] = icmp sge i64 %[[ALL]], %{{.*}}
; WIDE:         %[[ROUNDS:.*]] = and i1 %[[MANY]], %[[MUCH]]
; WIDE:         br i1 %[[ROUNDS]], label %round, label %on
; WIDE:       round:
; WIDE:         call void @llvm.prefetch.p0(
; WIDE:         call void @__hl_round()
; WIDE-LABEL: define internal void @k.flat.rows(
; WIDE-NOT:     call void @__hl_round()
; WIDE-LABEL: define internal void @known.flat.rows.full(
; WIDE-NOT:     call void @__hl_round()
; Turns in which lanes count in shared memory, one after the other, take so long that rounds pay from four on.
; WIDE-LABEL: define internal void @count.flat.rows.full(
; WIDE:         %[[FOUR:.*]] = mul i64 %{{.*}}, 4
; WIDE:         %[[TURNS:.*]] = icmp sge i64 %{{.*}}, %[[FOUR]]
; WIDE:         and i1 %{{.*}}, %[[TURNS]]
; WIDE:         call void @__hl_round()

; CHECK-NOT:   __hl_round
; CHECK-LABEL: define hidden void @k.block(
; CHECK:       define internal i32 @k.flat.rows.full.phase0(
; CHECK:       define internal i32 @k.flat.rows.full.phase1(
; CHECK-LABEL: define internal void @k.rounds(
; The end of a round is no barrier: what follows it begins at once.
; CHECK:       step.0:
; CHECK-NEXT:    %[[NEXT:.*]] = call i32 @k.flat.rows.full.phase0(
; CHECK-NEXT:    switch i32 %[[NEXT]], label %again [
; CHECK-DAG:       i32 -1, label %end
; CHECK-DAG:       i32 1, label %step.1
; CHECK:         br i1 %{{.*}}, label %again, label %round.over
define ptx_kernel void @k(ptr %in, ptr %out, i32 %n, i32 %step) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %entry ], [ %next, %body ]
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %done
body:
  %wide = sext i32 %i to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %v = load float, ptr %from, align 4
  store float %v, ptr %to, align 4
  %next = add nsw i32 %i, %step
  br label %head
done:
  ret void
}

; The processor looks ahead by itself where steps are small.
; CHECK-NOT:   @known.flat.rows.full.phase1(
define ptx_kernel void @known(ptr %in, ptr %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %entry ], [ %next, %body ]
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %done
body:
  %wide = sext i32 %i to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %v = load float, ptr %from, align 4
  store float %v, ptr %to, align 4
  %next = add nsw i32 %i, 256
  br label %head
done:
  ret void
}

define ptx_kernel void @count(ptr %in, i32 %n, i32 %step) {
entry:
  %self = call ptr @hl.self()
  %field = getelementptr inbounds i8, ptr %self, i64 56
  %window = load ptr, ptr %field, align 8, !invariant.load !0
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %entry ], [ %next, %body ]
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %done
body:
  %wide = sext i32 %i to i64
  %from = getelementptr i32, ptr %in, i64 %wide
  %bin = load i32, ptr %from, align 4
  %bin.wide = zext i32 %bin to i64
  %to = getelementptr i32, ptr %window, i64 %bin.wide
  %old = atomicrmw add ptr %to, i32 1 monotonic
  %next = add nsw i32 %i, %step
  br label %head
done:
  ret void
}
!0 = !{}
