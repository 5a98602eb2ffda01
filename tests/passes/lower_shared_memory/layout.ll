; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variables get offsets: the same in all kernels that reach them, and each kernel pays for its own only.
; RUN: %helicon-opt -stages=lower_shared_memory %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@a = internal addrspace(3) global [16 x i32] undef, align 4
@b = internal addrspace(3) global [4 x double] undef, align 8
@c = internal addrspace(3) global i8 undef, align 1
@dynamic = external addrspace(3) global [0 x float], align 4

; CHECK-LABEL: define ptx_kernel void @first(
; CHECK:         %shared = load ptr
; CHECK:         getelementptr inbounds i8, ptr %shared, i64 0
; CHECK:         store i32 1
define ptx_kernel void @first() {
  store i32 1, ptr addrspacecast (ptr addrspace(3) @a to ptr), align 4
  call void @both()
  ret void
}

; CHECK-LABEL: define ptx_kernel void @second(
; CHECK:         %dynamic_shared = load ptr
; CHECK:         store float
define ptx_kernel void @second() {
  store i8 1, ptr addrspacecast (ptr addrspace(3) @c to ptr), align 1
  store float 1.0, ptr addrspacecast (ptr addrspace(3) @dynamic to ptr), align 4
  call void @both()
  ret void
}

; CHECK-LABEL: define void @both(
; CHECK:         getelementptr inbounds i8, ptr %shared, i64 64
define void @both() {
  store double 1.0, ptr addrspacecast (ptr addrspace(3) @b to ptr), align 8
  ret void
}
; CHECK-DAG: attributes #{{[0-9]+}} = { "hl.flags"="0"{{.*}}"hl.static_shared_bytes"="96" }
; CHECK-DAG: attributes #{{[0-9]+}} = { "hl.flags"="4"{{.*}}"hl.static_shared_bytes"="97" }
