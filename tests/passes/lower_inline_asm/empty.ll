; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Empty assembly stays, as a barrier for the compiler, with constraints for this machine.
; RUN: %helicon-opt -stages=lower_inline_asm %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: define float @k(
; CHECK-NEXT:    call void asm sideeffect "", "r,~{memory}"(ptr %p)
; CHECK-NEXT:    %a = call i32 asm sideeffect "", "=r,0"(i32 %x)
; CHECK-NEXT:    %b = call float asm "", "=x,0"(float %y)
; CHECK-NEXT:    ret float %b
define float @k(ptr %p, i32 %x, float %y) {
  call void asm sideeffect "", "l,~{memory}"(ptr %p)
  %a = call i32 asm sideeffect "", "=r,0"(i32 %x)
  %b = call float asm "", "=f,0"(float %y)
  ret float %b
}
