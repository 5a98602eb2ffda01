; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions of one block are inlined, and what they calculate is fused with their surroundings; those with control flow and those that
; must stay are left, as are products that nobody may fuse.
; RUN: %helicon-opt -stages=mark_short_functions %s | %FileCheck %s
; RUN: %helicon-opt -stages=mark_short_functions,tidy,contract_products %s | %FileCheck %s --check-prefix=FUSED
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: define float @product(float %a, float %b) #[[INLINED:[0-9]+]]
define float @product(float %a, float %b) {
  %p = fmul contract float %a, %b
  ret float %p
}

; CHECK: define float @exact(float %a, float %b) #[[INLINED]]
define float @exact(float %a, float %b) {
  %p = fmul float %a, %b
  ret float %p
}

; CHECK: define float @kept(float %a, float %b) #[[KEPT:[0-9]+]]
define float @kept(float %a, float %b) noinline {
  %p = fmul contract float %a, %b
  ret float %p
}

; CHECK: define float @branching(float %a, i1 %c) {
define float @branching(float %a, i1 %c) {
  br i1 %c, label %then, label %else
then:
  %p = fmul contract float %a, %a
  ret float %p
else:
  ret float %a
}

; FUSED-LABEL: define ptx_kernel void @k(
; FUSED: %[[A:.*]] = load float, ptr %p
; FUSED: call float @llvm.fma.f32(float %[[A]], float %[[A]], float %[[A]])
; FUSED: %[[E:.*]] = fmul float %[[A]], 3.000000e+00
; FUSED: fadd float %[[E]], %[[A]]
define ptx_kernel void @k(ptr %p) {
  %a = load float, ptr %p
  %p1 = call contract float @product(float %a, float %a)
  %s = fadd contract float %p1, %a
  store float %s, ptr %p
  %e = call contract float @exact(float %a, float 3.0)
  %es = fadd contract float %e, %a
  %k = call contract float @kept(float %es, float %a)
  %b = call contract float @branching(float %k, i1 false)
  store float %b, ptr %p
  ret void
}

; CHECK: attributes #[[INLINED]] = { alwaysinline }
; CHECK: attributes #[[KEPT]] = { noinline }
