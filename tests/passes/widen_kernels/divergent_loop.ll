; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that lanes leave at different times runs while any lane is in it; a counter that is the same in all lanes that
; are left stays a scalar, and the result is kept lane by lane.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:       loop:
; CHECK-DAG:     %[[I:.*]] = phi i32 [
; CHECK-DAG:     %[[X:.*]] = phi <32 x i32>
; CHECK:         add i32 %[[I]], 1
; CHECK:         icmp slt <32 x i32>
; CHECK:         icmp ne i32 %{{.*}}, 0
; CHECK:         br i1
define ptx_kernel void @k(ptr %p) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %tid, %entry ], [ %y, %loop ]
  %y = mul i32 %x, 3
  %next = add i32 %i, 1
  %more = icmp slt i32 %y, 1000
  br i1 %more, label %loop, label %done
done:
  %last = phi i32 [ %next, %loop ]
  %wide = zext i32 %tid to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 %last, ptr %place, align 4
  ret void
}
