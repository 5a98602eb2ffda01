; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels and device variables stay; functions become private; what nobody refers to goes; names of the process are avoided.
; RUN: %helicon-opt -stages=keep_reachable %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @counter = hidden addrspace(1) externally_initialized global i32 0{{.*}} #[[DEV:[0-9]+]]
; CHECK-DAG: @coef = hidden addrspace(4) externally_initialized constant i32 0{{.*}} #[[CONST:[0-9]+]]
; CHECK-DAG: @y0.device = hidden addrspace(1)
; CHECK-NOT: @unused
@counter = addrspace(1) externally_initialized global i32 0, align 4
@coef = addrspace(4) externally_initialized constant i32 0, align 4
@y0 = addrspace(1) externally_initialized global i32 0, align 4
@unused = linkonce_odr addrspace(1) global i32 0, align 4

; CHECK: define internal float @sinf.device(
define linkonce_odr float @sinf(float %x) {
  ret float %x
}
; CHECK-NOT: define {{.*}}@nobody
define void @nobody() {
  ret void
}
; CHECK: define ptx_kernel void @k(
define weak_odr ptx_kernel void @k(ptr %p) {
  %r = call float @sinf(float 1.0)
  store float %r, ptr %p
  ret void
}
; CHECK-DAG: attributes #[[DEV]] = { "hl.variable"="device" }
; CHECK-DAG: attributes #[[CONST]] = { "hl.variable"="constant" }
