; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where a warp parts at the end of a loop, the lanes that have another turn are counted: the first 32 - k of them. In
; steps of the warp or more that turn is their last, and they leave the loop without being asked; else the first lane
; tells whether all of them leave.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK-LABEL: define internal void @warp_steps.flat.rows.full(
; CHECK:       head.apart:
; CHECK-NOT:   br i1
; CHECK:         br label %done.any
; CHECK:       head.mixed:
; CHECK:         icmp sge i32 %[[I:.*]], %[[N:.*]]
; CHECK:         %[[FAR:.*]] = sub i32 %[[N]], %[[I]]
; CHECK-NEXT:    %[[UP:.*]] = add i32 %[[FAR]], 0
; CHECK-NEXT:    %[[COUNT:.*]] = lshr i32 %[[UP]], 0
; CHECK-NEXT:    %[[REST:.*]] = shl i32 -1, %[[COUNT]]
; CHECK-NEXT:    %[[FIRST:.*]] = xor i32 %[[REST]], -1
; CHECK-NEXT:    bitcast i32 %[[FIRST]] to <32 x i1>
define ptx_kernel void @warp_steps(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
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
  %next = add nsw i32 %i, 32
  br label %head
done:
  ret void
}

; CHECK-LABEL: define internal void @short_steps.flat.rows.full(
; CHECK:       head.apart:
; CHECK:         %[[LAST:.*]] = add i32 %[[NEXT:.*]], 31
; CHECK:         %[[PAST:.*]] = icmp sge i32 %[[NEXT]], %{{.*}}
; CHECK:         %[[STRAIGHT:.*]] = icmp sge i32 %[[LAST]], %[[NEXT]]
; CHECK:         %[[OVER:.*]] = and i1 %[[PAST]], %[[STRAIGHT]]
; CHECK:         br i1 %[[OVER]], label %head.over, label %head.not.over
; CHECK:       head.over:
; CHECK:         br label %done.any
; CHECK:       head.not.over:
; CHECK:         br label %body.any
define ptx_kernel void @short_steps(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
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
  %next = add nsw i32 %i, 16
  br label %head
done:
  ret void
}

; In steps of four from lane to lane, up to the bound and with it.
; CHECK-LABEL: define internal void @fours.flat.rows.full(
; CHECK:         %[[FAR:.*]] = sub i32 %{{.*}}, %i
; CHECK-NEXT:    %[[UP:.*]] = add i32 %[[FAR]], 4
; CHECK-NEXT:    %[[COUNT:.*]] = lshr i32 %[[UP]], 2
; CHECK-NEXT:    shl i32 -1, %[[COUNT]]
define ptx_kernel void @fours(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = shl nuw nsw i32 %tid, 2
  %in = icmp ule i32 %i, %n
  br i1 %in, label %body, label %done
body:
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 1, ptr %place, align 4
  br label %done
done:
  ret void
}

; The last lanes.
; CHECK-LABEL: define internal void @above.flat.rows.full(
; CHECK:         %[[FAR:.*]] = sub i32 %{{.*}}, %tid.x
; CHECK-NEXT:    %[[UP:.*]] = add i32 %[[FAR]], 1
; CHECK-NEXT:    %[[COUNT:.*]] = lshr i32 %[[UP]], 0
; CHECK-NEXT:    %[[REST:.*]] = shl i32 -1, %[[COUNT]]
; CHECK-NEXT:    bitcast i32 %[[REST]] to <32 x i1>
define ptx_kernel void @above(ptr %p, i32 %n) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp sgt i32 %i, %n
  br i1 %out, label %body, label %done
body:
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 1, ptr %place, align 4
  br label %done
done:
  ret void
}
