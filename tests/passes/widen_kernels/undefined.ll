; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What the lanes on one side of a branch hold alike is not overwritten by those on the other, which hold nothing there: the lanes of
; the first side might have read anything.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:         %v.phi{{.*}} = phi i32 [ %u, %has ], [ undef, %has.any.skipped ]
; CHECK-NOT:     [ undef, %has.not ]
; CHECK-LABEL: define internal void @k.flat.rows(
define ptx_kernel void @k(ptr %p, ptr %q) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %x to i1
  %place = getelementptr i32, ptr %q, i32 %x
  br i1 %odd, label %has.not, label %has
has:
  %u = load i32, ptr %p, align 4
  store i32 3, ptr %p, align 4
  br label %both
has.not:
  store i32 5, ptr %place, align 4
  br label %both
both:
  %v = phi i32 [ %u, %has ], [ undef, %has.not ]
  fence seq_cst
  br i1 %odd, label %end, label %reads
reads:
  store i32 %v, ptr %place, align 4
  br label %end
end:
  ret void
}
