; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The number of a block times a size that the program has written, plus that of a thread: lanes are neighbours where the
; size is a multiple of the lanes in a row; where it is not, an index may wrap around inside the warp, which is checked.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; CHECK-LABEL: define internal void @multiple.flat.rows.full(
; CHECK-NOT:   wraps
; CHECK:       ret void
define ptx_kernel void @multiple(ptr %p, ptr %sum) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 96
  %i = add i32 %first, %tid
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %place, align 4
  %double = add i32 %v, %v
  %r = atomicrmw add ptr %sum, i32 %double monotonic
  ret void
}

; CHECK-LABEL: define internal void @other.flat.rows.full(
; CHECK:       straight:
; CHECK:       wraps:
; CHECK:       ret void
define ptx_kernel void @other(ptr %p, ptr %sum) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 100
  %i = add i32 %first, %tid
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %place, align 4
  %double = add i32 %v, %v
  %r = atomicrmw add ptr %sum, i32 %double monotonic
  ret void
}
