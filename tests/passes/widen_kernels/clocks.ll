; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A clock is read once for the warp.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:       %[[TIME:.*]] = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
; CHECK-NOT:   clock64
; CHECK:       insertelement <32 x i64> poison, i64 %[[TIME]]
; CHECK:       ret void
define ptx_kernel void @k(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %time = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %wide = zext i32 %tid to i64
  %place = getelementptr i64, ptr %p, i64 %wide
  store i64 %time, ptr %place, align 8
  ret void
}
