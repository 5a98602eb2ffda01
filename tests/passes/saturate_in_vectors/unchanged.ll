; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Single numbers, other formats and short integers stay as they are.
; RUN: %helicon-opt -stages=saturate_in_vectors %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-NOT: fcmp
define i32 @one(float %x) {
  %i = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  ret i32 %i
}

define <8 x i32> @half(<8 x half> %x) {
  %i = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f16(<8 x half> %x)
  ret <8 x i32> %i
}

define <8 x i8> @short(<8 x float> %x) {
  %i = call <8 x i8> @llvm.fptosi.sat.v8i8.v8f32(<8 x float> %x)
  ret <8 x i8> %i
}
