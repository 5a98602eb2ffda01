; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A divergent branch whose sides go on to the next round of a loop, as others do: what they hand on alike is the same for
; all lanes, and so is what depends on it. Such a warp ran on the thread engine only: its lanes might have parted.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

; CHECK-LABEL: define internal void @tree.flat.general(
; CHECK:       again.joined:
; CHECK-NEXT:    br label %again
; CHECK:       again:
; CHECK:         %next.phi{{.*}} = phi i32 [ 0, %again.joined ], [ %{{.*}}, %down ]
; CHECK-NOT:   hl.engine_note
define ptx_kernel void @tree(ptr %nodes) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %round
round:
  %node = phi i32 [ 0, %entry ], [ %next, %again ]
  %index = add i32 %node, %x
  %place = getelementptr i32, ptr %nodes, i32 %index
  %data = load i32, ptr %place, align 4
  %below = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %data, i32 3, i32 31)
  %leaf = icmp eq i32 %below, 0
  br i1 %leaf, label %done, label %look
look:
  %full = icmp slt i32 %below, 0
  br i1 %full, label %up, label %down
up:
  %first = icmp eq i32 %x, 0
  br i1 %first, label %unlock, label %again
unlock:
  store i32 7, ptr %nodes, align 4
  br label %again
down:
  %other = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %data, i32 5, i32 31)
  br label %again
again:
  %next = phi i32 [ 0, %up ], [ 0, %unlock ], [ %other, %down ]
  br label %round
done:
  %last = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %data, i32 %x, i32 31)
  store i32 %last, ptr %place, align 4
  ret void
}
