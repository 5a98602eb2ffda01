; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A warp for each row of 32 threads of the grid: in blocks of other than whole warps its lanes are of two rows, and may go
; different ways. There is code for blocks of whole warps alone.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)

; CHECK-LABEL: define hidden void @rows.block(
; CHECK:         call void @rows.flat.rows(
; CHECK-NOT:     call void @rows.flat
; CHECK:         ret void
; CHECK:       "hl.engine_note"="in blocks with rows of other than whole warps, warp function for all lanes
define ptx_kernel void @rows(ptr %data, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %t
  %i = add i32 %first, %x
  %row = lshr i32 %i, 5
  br label %round
round:
  %r = phi i32 [ %row, %entry ], [ %next, %again ]
  %skip = icmp ugt i32 %r, %n
  br i1 %skip, label %again, label %work
work:
  %place = getelementptr i32, ptr %data, i32 %i
  store i32 %r, ptr %place, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %again
again:
  %next = add i32 %r, 3
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %round, label %done
done:
  ret void
}
