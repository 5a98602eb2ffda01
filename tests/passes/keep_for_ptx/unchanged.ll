; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: the code stays as it is.
; RUN: %helicon-opt -gpu=sm_90 -stages=keep_for_ptx %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @k(ptr %p)
; CHECK-NEXT: ret void
define ptx_kernel void @k(ptr %p) {
  ret void
}
