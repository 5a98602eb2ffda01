; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A module with half values brings the conversions of processors without instructions for them.
; RUN: %helicon-opt -stages=provide_small_floats %s | %FileCheck %s
; REQUIRES: helicon-opt

target triple = "x86_64-unknown-linux-gnu"

; CHECK: define half @k(
; CHECK: define hidden half @__truncsfhf2(float %0)
; CHECK-NOT: fptrunc
; CHECK: define hidden half @__truncdfhf2(double %0)
; CHECK: fptrunc double %0 to float
; CHECK: define hidden float @__extendhfsf2(half %0)
; CHECK-NOT: fpext
define half @k(float %x) {
  %r = fptrunc float %x to half
  ret half %r
}
