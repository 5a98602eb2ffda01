; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A block that no lane waits for is skipped, and leaves an empty mask: the loop around it carries none from round to round.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @rounds.flat.rows.full(
; CHECK:       round:
; CHECK-NOT:     phi <32 x i1>
; CHECK:       work.any.skipped:
; CHECK-NEXT:    br label %again.any
; CHECK-LABEL: define internal void @rounds.flat.rows(
define ptx_kernel void @rounds(ptr %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %next, %again ]
  %i = add i32 %x, %r
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %place, align 4
  %odd = trunc i32 %v to i1
  br i1 %odd, label %work, label %again
work:
  %w = mul i32 %v, 5
  store i32 %w, ptr %place, align 4
  br label %again
again:
  %next = add i32 %r, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %round, label %done
done:
  ret void
}
