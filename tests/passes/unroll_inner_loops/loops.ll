; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A small innermost loop of unknown length is to be unrolled; one of known length, or with a barrier of the block, is left to
; LLVM. Where a warp acts together it is unrolled here, if all lanes take the same number of turns.
; RUN: %helicon-opt -gpu=sm_90 -stages=unroll_inner_loops %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0

; CHECK-LABEL: define void @unknown(
; CHECK: br i1 %more, label %loop, label %done, !llvm.loop ![[LOOP:[0-9]+]]
define void @unknown(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  %v = load float, ptr %at
  %w = fadd float %v, 1.0
  store float %w, ptr %at
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
; CHECK-LABEL: define void @known(
; CHECK: br i1 %more, label %loop, label %done{{$}}
define void @known(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  store float 0.0, ptr %at
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 16
  br i1 %more, label %loop, label %done
done:
  ret void
}
; CHECK-LABEL: define void @meets(
; CHECK: br i1 %more, label %loop, label %done{{$}}
define void @meets(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
; CHECK-LABEL: define ptx_kernel void @same_turns(
; CHECK:         and i32 %{{.*}}, 3
; CHECK-COUNT-4: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
; CHECK:         br i1 %{{.*}}, !llvm.loop
; CHECK:         call i32 @llvm.nvvm.shfl.sync.bfly.i32(
; CHECK:         ret void
define ptx_kernel void @same_turns(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ 0, %entry ], [ %w, %loop ]
  %w = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 %i, i32 31)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %w, ptr %p
  ret void
}
; CHECK-LABEL: define ptx_kernel void @other_turns(
; CHECK-COUNT-1: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
; CHECK-NOT:     call i32 @llvm.nvvm.shfl.sync.bfly.i32(
; CHECK:         ret void
define ptx_kernel void @other_turns(ptr %p) {
entry:
  %n = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ 0, %entry ], [ %w, %loop ]
  %w = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 %i, i32 31)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %w, ptr %p
  ret void
}
; CHECK-LABEL: define ptx_kernel void @asked_for(
; CHECK-COUNT-2: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
; CHECK:         br i1 %{{.*}}, !llvm.loop
define ptx_kernel void @asked_for(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ 0, %entry ], [ %w, %loop ]
  %w = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 %i, i32 31)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  store i32 %w, ptr %p
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 2}
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[COUNT:[0-9]+]]}
; CHECK: ![[COUNT]] = !{!"llvm.loop.unroll.count", i32 4}
attributes #0 = { convergent nounwind }
