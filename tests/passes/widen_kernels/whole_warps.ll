; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Whole warps of a block run code for all lanes, also where the last warp lacks some; but not code that takes blockDim.x for
; a multiple of 32, as that for `i / 32` does.
; RUN: %helicon-opt -stages=widen_kernels,split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK-LABEL: define hidden void @counts.block(
; CHECK-NOT:   rows.full:
; CHECK:         call void @counts.flat.rows.full(
; CHECK:         call void @counts.flat.rows(
define ptx_kernel void @counts(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %x
  %place = getelementptr i32, ptr %out, i32 %i
  store i32 %i, ptr %place, align 4
  ret void
}

; CHECK-LABEL: define hidden void @rows_of_32.block(
; CHECK:       rows.full:
; CHECK:         call void @rows_of_32.flat.rows.full(
; CHECK-NOT:     call void @rows_of_32.flat.rows(
; CHECK:       block{{.*}} %rows.some
; CHECK-NOT:     call void @rows_of_32.flat.rows.full(
; CHECK:         call void @rows_of_32.flat.rows(
define ptx_kernel void @rows_of_32(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %x
  %row = lshr i32 %i, 5
  %place = getelementptr i32, ptr %out, i32 %i
  store i32 %row, ptr %place, align 4
  ret void
}
