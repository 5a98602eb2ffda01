; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; 128-bit integers to and from floating point without a function of a library; conversions of 64 bits stay as they are.
; RUN: %helicon-opt -gpu=sm_90 -stages=convert_wide_integers %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define double @from_unsigned(
; CHECK: %[[N:.*]] = call i128 @llvm.ctlz.i128(i128 %{{.*}}, i1 false)
; CHECK: %[[M:.*]] = or i64
; CHECK: uitofp i64 %[[M]] to double
; CHECK: fmul double
; CHECK-NOT: uitofp i128
define double @from_unsigned(i128 %x) {
  %r = uitofp i128 %x to double
  ret double %r
}
; CHECK-LABEL: define float @from_signed(
; CHECK: icmp slt i128 %x, 0
; CHECK: fneg float
; CHECK-NOT: sitofp i128
define float @from_signed(i128 %x) {
  %r = sitofp i128 %x to float
  ret float %r
}
; CHECK-LABEL: define i128 @to_signed(
; CHECK: fpext float %x to double
; CHECK-COUNT-2: call i64 @llvm.nvvm.d2ull.rz(double
; CHECK: select i1 %{{.*}}, i128 170141183460469231731687303715884105727
; CHECK-NOT: fptosi float
define i128 @to_signed(float %x) {
  %r = fptosi float %x to i128
  ret i128 %r
}
; CHECK-LABEL: define i128 @to_unsigned(
; CHECK: select i1 %{{.*}}, i128 -1
; CHECK-NOT: fptoui double
define i128 @to_unsigned(double %x) {
  %r = fptoui double %x to i128
  ret i128 %r
}
; CHECK-LABEL: define double @narrow(
; CHECK-NEXT: %r = uitofp i64 %x to double
define double @narrow(i64 %x) {
  %r = uitofp i64 %x to double
  ret double %r
}
