; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With -ftz=true operands and results are flushed, each once; without it, and for doubles, nothing happens.
; RUN: %helicon-opt -stages=flush_denormals %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: define float @ftz(
; CHECK:         %[[ABS:.*]] = call float @llvm.fabs.f32(float %a)
; CHECK:         %[[TINY:.*]] = fcmp olt float %[[ABS]], 0x3810000000000000
; CHECK:         %[[ZERO:.*]] = call float @llvm.copysign.f32(float 0.000000e+00, float %a)
; CHECK:         %[[A:.*]] = select i1 %[[TINY]], float %[[ZERO]], float %a
; CHECK:         %[[R:.*]] = fmul float %[[A]], 2.000000e+00
; CHECK:         %[[ABS2:.*]] = call float @llvm.fabs.f32(float %[[R]])
; CHECK:         %[[F:.*]] = select i1 %{{.*}}, float %{{.*}}, float %[[R]]
; CHECK-NEXT:    %[[S:.*]] = fadd float %[[F]], 1.000000e+00
; CHECK:         ret float
define float @ftz(float %a) #0 {
  %r = fmul float %a, 2.0
  %s = fadd float %r, 1.0
  ret float %s
}

; CHECK-LABEL: define double @wide(
; CHECK-NEXT:    fmul double
; CHECK-NEXT:    ret
define double @wide(double %a) #0 {
  %r = fmul double %a, 2.0
  ret double %r
}

; CHECK-LABEL: define float @ieee(
; CHECK-NEXT:    fmul float
; CHECK-NEXT:    ret
define float @ieee(float %a) {
  %r = fmul float %a, 2.0
  ret float %r
}
; CHECK-NOT: denormal-fp-math
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
