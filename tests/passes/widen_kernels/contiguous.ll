; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A guarded access at blockIdx.x * blockDim.x + threadIdx.x is one masked load or store of 32 neighbours where the lanes
; stand in a row, and a gather or scatter where they do not.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:         %[[IN:.*]] = icmp slt <32 x i32>
; CHECK:       work.apart:
; CHECK:         %[[V:.*]] = call <32 x float> @llvm.masked.load.v32f32.p0(
; CHECK:         %[[W:.*]] = fadd <32 x float> %[[V]], splat (float 1.000000e+00)
; CHECK:         call void @llvm.masked.store.v32f32.p0(<32 x float> %[[W]]
; CHECK-NOT:     gather
; CHECK-LABEL: define internal void @k.flat.general(
; CHECK:         call <32 x float> @llvm.masked.gather
; CHECK:         call void @llvm.masked.scatter
; CHECK-LABEL: define hidden void @k.block(ptr {{.*}}, ptr {{.*}}, i32 %2, i32 %3)
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %ctaid, %ntid
  %i = add i32 %first, %tid
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %done
work:
  %wide = sext i32 %i to i64
  %place = getelementptr float, ptr %p, i64 %wide
  %v = load float, ptr %place, align 4
  %w = fadd float %v, 1.0
  store float %w, ptr %place, align 4
  br label %done
done:
  ret void
}
