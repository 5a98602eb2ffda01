; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A local array stands element by element: lanes with the same index are neighbours. One whose address escapes does not.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @look(ptr)

; CHECK-LABEL: define internal void @same_index.flat.rows.full(
; CHECK:         alloca i8, i64 1024, align 64
; CHECK:         store <32 x i32>
; CHECK-NOT:     scatter
; CHECK:         call <32 x i32> @llvm.masked.load.v32i32.p0(
; CHECK-NOT:     gather
; CHECK-LABEL: define internal void @same_index.flat.rows(
define ptx_kernel void @same_index(i64 %i, i64 %j) {
  %a = alloca [8 x i32], align 4
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr [8 x i32], ptr %a, i64 0, i64 %i
  store i32 %x, ptr %to, align 4
  %from = getelementptr [8 x i32], ptr %a, i64 0, i64 %j
  %v = load volatile i32, ptr %from, align 4
  ret void
}

; CHECK-LABEL: define internal void @escapes.flat.rows.full(
; CHECK:         call void @llvm.masked.scatter.v32i32.v32p0(
; CHECK:         call void @look(
; CHECK-LABEL: define internal void @escapes.flat.rows(
define ptx_kernel void @escapes(i64 %i) {
  %a = alloca [16 x i32], align 4
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr [16 x i32], ptr %a, i64 0, i64 %i
  store i32 %x, ptr %to, align 4
  call void @look(ptr %a)
  ret void
}
