; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Integers of 10 bits have no place of their own in a vector in memory: lane by lane they are kept as 16 bits.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @odd.flat.rows.full(
; CHECK:         alloca [32 x i16]
; CHECK-NOT:     alloca [32 x i10]
; CHECK-NOT:     masked.load.v32i10
; CHECK:         %[[LOADED:.*]] = load i10, ptr
; CHECK:         zext i10 %[[LOADED]] to i16
; CHECK:         trunc <32 x i16> %{{.*}} to <32 x i10>
; CHECK:         zext <32 x i10> %{{.*}} to <32 x i16>
; CHECK-NOT:     masked.store.v32i10
; CHECK:         store i10
define ptx_kernel void @odd(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %x to i64
  %place = getelementptr i16, ptr %p, i64 %i
  %a = load i10, ptr %place, align 2
  %b = add i10 %a, 3
  store i10 %b, ptr %place, align 2
  ret void
}
