; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In whole rows of 32 the number of a warp in the grid is one number, unsigned or signed, and what it selects is loaded
; once. Where blockDim.x may be no multiple of 32 the lanes of a warp can lie in two of these.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; CHECK-LABEL: define internal void @unsigned_index.flat.rows.full(
; CHECK-NOT:     gather
; CHECK:         ret void
; CHECK-LABEL: define internal void @unsigned_index.flat.rows(
; CHECK:         gather
define ptx_kernel void @unsigned_index(ptr %starts, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %ctaid, %ntid
  %i = add i32 %first, %tid
  %row = lshr i32 %i, 5
  %row.wide = zext i32 %row to i64
  %place = getelementptr i32, ptr %starts, i64 %row.wide
  %v = load i32, ptr %place, align 4
  %i.wide = zext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %i.wide
  store i32 %v, ptr %to, align 4
  ret void
}

; CHECK-LABEL: define internal void @signed_index.flat.rows.full(
; CHECK-NOT:     gather
; CHECK-NOT:     scatter
; CHECK:         ret void
; CHECK-LABEL: define internal void @signed_index.flat.rows(
; CHECK:         gather
define ptx_kernel void @signed_index(ptr %starts, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %ctaid, %ntid
  %i = add i32 %first, %tid
  %row = sdiv i32 %i, 32
  %lane = srem i32 %i, 32
  %row.wide = sext i32 %row to i64
  %place = getelementptr i32, ptr %starts, i64 %row.wide
  %v = load i32, ptr %place, align 4
  %lane.wide = sext i32 %lane to i64
  %to = getelementptr i32, ptr %out, i64 %lane.wide
  store i32 %v, ptr %to, align 4
  ret void
}
