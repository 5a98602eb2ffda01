; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; More static shared memory than a block may have is an error with both numbers.
; RUN: not %helicon-opt -stages=lower_shared_memory %s 2>&1 | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@a = internal addrspace(3) global [16384 x i32] undef, align 4

; CHECK: error: kernel 'k' uses 65536 bytes of static shared memory; the limit is 49152
define ptx_kernel void @k() {
  store i32 1, ptr addrspacecast (ptr addrspace(3) @a to ptr), align 4
  ret void
}
