; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions without values wider than what a stack is aligned for anyway keep no frame pointer.
; RUN: %helicon-opt -stages=align_spills %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: define <4 x float> @k(ptr %p) {
define <4 x float> @k(ptr %p) {
  %v = load <4 x float>, ptr %p
  %w = fmul <4 x float> %v, %v
  ret <4 x float> %w
}
