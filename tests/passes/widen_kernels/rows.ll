; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that reads threadIdx.y has bodies for blocks whose rows are 16 and 8 threads: rows are contiguous, what is the
; same in a row is read once a row. An index that may wrap around is checked, not assumed.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:         load float
; CHECK:         icmp ule i32 %{{.*}}, -32
; CHECK:       straight:
; CHECK:         call <32 x float> @llvm.masked.load.v32f32.p0(
; CHECK:       wraps:
; CHECK:         call <32 x float> @llvm.masked.gather.v32f32.v32p0(
; CHECK-LABEL: define internal void @k.flat.rows.16(
; CHECK-COUNT-2: load float, ptr
; CHECK:       straight:
; CHECK-COUNT-2: call <16 x float> @llvm.masked.load.v16f32.p0(
; CHECK-LABEL: define internal void @k.flat.rows.8(
; CHECK-COUNT-4: load float, ptr
; CHECK:       straight:
; CHECK-COUNT-4: call <8 x float> @llvm.masked.load.v8f32.p0(
; CHECK-LABEL: define hidden void @k.block(ptr {{.*}}, ptr {{.*}}, i32 %2, i32 %3)
; CHECK:         switch i32 %{{.*}}, label %general [
; CHECK-NEXT:      i32 16, label
; CHECK-NEXT:      i32 8, label
define ptx_kernel void @k(ptr %p, ptr %q, i32 %w) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = zext i32 %y to i64
  %a.place = getelementptr float, ptr %q, i64 %row
  %a = load float, ptr %a.place, align 4
  %first = mul i32 %y, %w
  %i = add i32 %first, %x
  %wide = zext i32 %i to i64
  %place = getelementptr float, ptr %p, i64 %wide
  %v = load float, ptr %place, align 4
  %sum = fadd float %v, %a
  store float %sum, ptr %place, align 4
  ret void
}
