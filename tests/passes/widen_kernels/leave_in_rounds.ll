; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes wait for other blocks and vote in each round. What they do behind the loop is part of its rounds; lanes that come
; there without the loop have done it in a copy before.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_yield()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)

; CHECK-LABEL: define internal void @look.flat.general(
; CHECK:         add <32 x i32> {{.*}}splat (i32 77)
; CHECK:         call void @__hl_yield()
; CHECK:         add <32 x i32> {{.*}}splat (i32 77)
; CHECK:         call void @__hl_barrier(
; CHECK-NOT:     splat (i32 77)
; CHECK:       }
define ptx_kernel void @look(ptr %seen, ptr %sums, i32 %blocks) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %looks = icmp ult i32 %tid, 128
  br i1 %looks, label %loop, label %behind
loop:
  %j = phi i32 [ %blocks, %entry ], [ %less, %next ]
  %lanes = phi i32 [ -1, %entry ], [ %voted, %next ]
  %less = add i32 %j, -1
  %row = shl i32 %less, 7
  %place = add i32 %row, %tid
  %p = getelementptr i32, ptr %seen, i32 %place
  br label %wait
wait:
  %v = load volatile i32, ptr %p, align 4
  %nothing = icmp eq i32 %v, 0
  br i1 %nothing, label %again, label %vote
again:
  call void @__hl_yield()
  br label %wait
vote:
  %goes_on = icmp sgt i32 %v, -1
  %voted = call i32 @llvm.nvvm.vote.ballot.sync(i32 %lanes, i1 %goes_on)
  br i1 %goes_on, label %next, label %behind
next:
  call void @__hl_yield()
  br label %loop
behind:
  %sum = phi i32 [ %tid, %entry ], [ %v, %vote ]
  %more = add i32 %sum, 77
  %q = getelementptr i32, ptr %seen, i32 %tid
  store volatile i32 %more, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = getelementptr i32, ptr %sums, i32 %tid
  store i32 %more, ptr %r, align 4
  ret void
}
