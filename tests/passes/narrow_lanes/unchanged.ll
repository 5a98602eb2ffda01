; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What other uses look at as a whole, high lanes, lanes whose number is not known and what is narrow already stay as they are.
; RUN: %helicon-opt -stages=narrow_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: define float @f(
; CHECK-NEXT: %whole = fadd <32 x float> %a, %b
; CHECK-NEXT: store <32 x float> %whole, ptr %p
; CHECK-NEXT: %x = extractelement <32 x float> %whole, i32 0
; CHECK-NEXT: %high = fmul <32 x float> %a, %b
; CHECK-NEXT: %y = extractelement <32 x float> %high, i32 20
; CHECK-NEXT: %any = fsub <32 x float> %a, %b
; CHECK-NEXT: %z = extractelement <32 x float> %any, i32 %i
; CHECK-NEXT: %narrow = fdiv <4 x float> %c, %c
; CHECK-NEXT: %w = extractelement <4 x float> %narrow, i32 0
define float @f(<32 x float> %a, <32 x float> %b, <4 x float> %c, i32 %i, ptr %p) {
  %whole = fadd <32 x float> %a, %b
  store <32 x float> %whole, ptr %p
  %x = extractelement <32 x float> %whole, i32 0
  %high = fmul <32 x float> %a, %b
  %y = extractelement <32 x float> %high, i32 20
  %any = fsub <32 x float> %a, %b
  %z = extractelement <32 x float> %any, i32 %i
  %narrow = fdiv <4 x float> %c, %c
  %w = extractelement <4 x float> %narrow, i32 0
  %s = fadd float %x, %y
  %t = fadd float %z, %w
  %u = fadd float %s, %t
  ret float %u
}
