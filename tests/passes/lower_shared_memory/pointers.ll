; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer in the shared address space is the offset in the window.
; RUN: %helicon-opt -stages=lower_shared_memory %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@a = internal addrspace(3) global [16 x i32] undef, align 4
@b = internal addrspace(3) global [16 x i32] undef, align 4

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK:         %[[OFF:.*]] = sub i64
; CHECK:         %[[PTR:.*]] = inttoptr i64 %[[OFF]] to ptr addrspace(3)
; CHECK:         ptrtoint ptr addrspace(3) %[[PTR]] to i32
define ptx_kernel void @k(ptr %p, ptr %out) {
  %s = addrspacecast ptr %p to ptr addrspace(3)
  %i = ptrtoint ptr addrspace(3) %s to i32
  store i32 %i, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @direct(
; CHECK:         %[[ELEMENT:.*]] = getelementptr inbounds i32, ptr %b, i64 %i
; CHECK:         load i32, ptr %[[ELEMENT]]
define ptx_kernel void @direct(i64 %i, ptr %out) {
  %q = getelementptr inbounds i32, ptr addrspace(3) @b, i64 %i
  %v = load i32, ptr addrspace(3) %q, align 4
  store i32 %v, ptr %out
  ret void
}
