; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calculations, comparisons, conversions and intrinsics of 80 bits are those of double; what is read is rounded, what is written has
; the host's form.
; RUN: %helicon-opt -stages=calculate_in_doubles %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i1 @all(
; CHECK: %a = load x86_fp80, ptr %p
; CHECK-NEXT: %[[NARROW:.*]] = fptrunc x86_fp80 %a to double
; CHECK-NEXT: %[[ROUNDED:.*]] = fpext double %[[NARROW]] to x86_fp80
; CHECK: fmul contract double
; CHECK: fadd double %{{.*}}, 1.000000e+00
; CHECK: fneg double
; CHECK: call double @llvm.fabs.f64(double
; CHECK: sitofp i32 %n to double
; CHECK: %[[COMPARED:.*]] = fcmp olt double
; CHECK: store x86_fp80
; CHECK: ret i1 %[[COMPARED]]
; CHECK-NOT: {{(fmul|fadd|fneg|fcmp|sitofp).*}}x86_fp80
define i1 @all(ptr %p, i32 %n) {
  %a = load x86_fp80, ptr %p, align 16
  %m = fmul contract x86_fp80 %a, %a
  %s = fadd x86_fp80 %m, 0xK3FFF8000000000000000
  %neg = fneg x86_fp80 %s
  %abs = call x86_fp80 @llvm.fabs.f80(x86_fp80 %neg)
  %i = sitofp i32 %n to x86_fp80
  %less = fcmp olt x86_fp80 %abs, %i
  store x86_fp80 %abs, ptr %p, align 16
  ret i1 %less
}
declare x86_fp80 @llvm.fabs.f80(x86_fp80)
