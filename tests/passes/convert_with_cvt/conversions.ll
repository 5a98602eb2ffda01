; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Floating point to integer becomes the device's conversion; narrow results come from 32 bits, half goes through float.
; RUN: %helicon-opt -gpu=sm_90 -stages=convert_with_cvt %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @single(
; CHECK: call i32 @llvm.nvvm.f2i.rz(float %x)
define i32 @single(float %x) {
  %r = fptosi float %x to i32
  ret i32 %r
}
; CHECK-LABEL: define i64 @wide(
; CHECK: call i64 @llvm.nvvm.d2ull.rz(double %x)
define i64 @wide(double %x) {
  %r = fptoui double %x to i64
  ret i64 %r
}
; CHECK-LABEL: define i8 @narrow(
; CHECK: %[[F:.*]] = fpext half %x to float
; CHECK: %[[I:.*]] = call i32 @llvm.nvvm.f2ui.rz(float %[[F]])
; CHECK: trunc i32 %[[I]] to i8
define i8 @narrow(half %x) {
  %r = fptoui half %x to i8
  ret i8 %r
}
