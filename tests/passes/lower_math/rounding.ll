; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Rounding modes are set around the operation, in a helper; round to nearest is a plain operation without contraction.
; RUN: %helicon-opt -stages=lower_math %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.add.rn.f(float, float)
declare float @llvm.nvvm.add.rm.f(float, float)
declare float @llvm.nvvm.fma.rn.sat.f(float, float, float)
declare i32 @llvm.nvvm.f2i.rp(float)

; CHECK-LABEL: define float @nearest(
; CHECK-NEXT:    fadd float %a, %b
define float @nearest(float %a, float %b) {
  %r = call float @llvm.nvvm.add.rn.f(float %a, float %b)
  ret float %r
}

; CHECK-LABEL: define float @down(
; CHECK-NEXT:    call float @hl.round.add.float.rm(float %a, float %b)
define float @down(float %a, float %b) {
  %r = call float @llvm.nvvm.add.rm.f(float %a, float %b)
  ret float %r
}

; CHECK-LABEL: define float @saturate(
; CHECK:         %[[V:.*]] = call float @llvm.fma.f32(float %a, float %b, float %b)
; CHECK:         %[[P:.*]] = fcmp ogt float %[[V]], 0.000000e+00
; CHECK:         select i1 %[[P]], float %[[V]], float 0.000000e+00
define float @saturate(float %a, float %b) {
  %r = call float @llvm.nvvm.fma.rn.sat.f(float %a, float %b, float %b)
  ret float %r
}

; CHECK-LABEL: define i32 @up_to_int(
; CHECK:         %[[V:.*]] = call float @llvm.ceil.f32(float %a)
; CHECK:         call i32 @llvm.fptosi.sat.i32.f32(float %[[V]])
define i32 @up_to_int(float %a) {
  %r = call i32 @llvm.nvvm.f2i.rp(float %a)
  ret i32 %r
}

; CHECK-LABEL: define internal float @hl.round.add.float.rm(
; CHECK-NEXT:    call void @llvm.set.rounding(i32 3)
; CHECK-NEXT:    %[[R:.*]] = call float @llvm.experimental.constrained.fadd.f32(
; CHECK-NEXT:    call void @llvm.set.rounding(i32 1)
; CHECK-NEXT:    ret float %[[R]]
