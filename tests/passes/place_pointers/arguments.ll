; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a kernel is given, by itself or in a struct, leads to global memory; a function's arguments may lead anywhere.
; RUN: %helicon-opt -gpu=sm_90 -stages=place_pointers %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%pair = type { ptr, ptr }
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NEXT: %[[GLOBAL:.*]] = addrspacecast ptr %p to ptr addrspace(1)
; CHECK-NEXT: %[[P:.*]] = addrspacecast ptr addrspace(1) %[[GLOBAL]] to ptr
; CHECK-NEXT: store float %v, ptr %[[P]]
define ptx_kernel void @k(ptr %p, float %v) {
  store float %v, ptr %p
  ret void
}
; CHECK-LABEL: define ptx_kernel void @in_struct(
; CHECK: %[[LOADED:.*]] = load ptr, ptr
; CHECK-NEXT: %[[GLOBAL:.*]] = addrspacecast ptr %[[LOADED]] to ptr addrspace(1)
; CHECK-NEXT: %[[P:.*]] = addrspacecast ptr addrspace(1) %[[GLOBAL]] to ptr
; CHECK-NEXT: store float %v, ptr %[[P]]
define ptx_kernel void @in_struct(ptr byval(%pair) %s, float %v) {
  %f = getelementptr %pair, ptr %s, i32 0, i32 1
  %p = load ptr, ptr %f
  store float %v, ptr %p
  ret void
}
; CHECK-LABEL: define void @function(
; CHECK-NEXT: store float %v, ptr %p
define void @function(ptr %p, float %v) {
  store float %v, ptr %p
  ret void
}
