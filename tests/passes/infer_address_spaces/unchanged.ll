; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: a pointer that may lead anywhere.
; RUN: %helicon-opt -gpu=sm_90 -stages=infer_address_spaces %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define float @f(
; CHECK-NEXT:    %q = getelementptr float, ptr %p, i64 %i
; CHECK-NEXT:    %v = load float, ptr %q, align 4
; CHECK-NEXT:    ret float %v
define float @f(ptr %p, i64 %i) {
  %q = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %q, align 4
  ret float %v
}
