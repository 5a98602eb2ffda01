; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A module with bfloat values brings its own rounding functions.
; RUN: %helicon-opt -stages=provide_small_floats %s | %FileCheck %s
; REQUIRES: helicon-opt

target triple = "x86_64-unknown-linux-gnu"

; CHECK: define bfloat @k(
; CHECK: define hidden bfloat @__truncsfbf2(float %0)
; CHECK-NOT: fptrunc
; CHECK: define hidden bfloat @__truncdfbf2(double %0)
; CHECK: fptrunc double %0 to float
define bfloat @k(float %x) {
  %r = fptrunc float %x to bfloat
  ret bfloat %r
}
