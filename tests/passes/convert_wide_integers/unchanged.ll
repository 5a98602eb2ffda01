; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: the code stays as it is.
; RUN: %helicon-opt -gpu=sm_90 -stages=convert_wide_integers %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @k(ptr addrspace(1) %p)
; CHECK-NEXT:    %v = load i32, ptr addrspace(1) %p
; CHECK-NEXT:    %w = add i32 %v, 1
; CHECK-NEXT:    store i32 %w, ptr addrspace(1) %p
; CHECK-NEXT:    ret void
define void @k(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(1) %p, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %p, align 4
  ret void
}
