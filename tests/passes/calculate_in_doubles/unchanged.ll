; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: the code stays as it is.
; RUN: %helicon-opt -stages=calculate_in_doubles %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @k(ptr %p)
; CHECK-NEXT:    %v = load i32, ptr %p
; CHECK-NEXT:    %w = add i32 %v, 1
; CHECK-NEXT:    store i32 %w, ptr %p
; CHECK-NEXT:    ret void
define void @k(ptr %p) {
  %v = load i32, ptr %p, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr %p, align 4
  ret void
}
