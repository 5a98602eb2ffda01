; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels and the host's variables stay outside; functions are the module's own; a managed variable has managed storage.
; RUN: %helicon-opt -gpu=sm_90 -stages=keep_for_ptx %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @m__hl_managed = addrspace(1) global i32 3
; CHECK-DAG: @m = addrspace(1) global ptr addrspace(1) @m__hl_managed
; CHECK-DAG: @count = addrspace(1) global i32 0
; CHECK-NOT: @unused
; CHECK-DAG: define ptx_kernel void @k(
; CHECK-DAG: define internal i32 @helper(
; CHECK-DAG: !{ptr addrspace(1) @m__hl_managed, !"managed", i32 1}
@m.managed = addrspace(1) global i32 3
@m = addrspace(1) global ptr addrspace(1) null
@count = addrspace(1) global i32 0
define linkonce_odr void @unused() {
  ret void
}
define linkonce_odr i32 @helper(i32 %v) {
  ret i32 %v
}
define ptx_kernel void @k(ptr %p) {
  %v = call i32 @helper(i32 1)
  store i32 %v, ptr %p
  ret void
}
