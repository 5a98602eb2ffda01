; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that nobody supplies are named; the driver's are not; a host function that is called traps.
; RUN: not %helicon-opt -gpu=sm_90 -stages=check_callable %s 2>&1 | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: vprintf
; CHECK-NOT: host
; CHECK: error: no form of missing() for a GPU
; CHECK: error: no definition of elsewhere for a GPU
declare i32 @vprintf(ptr, ptr)
declare void @_Z7missingv()
declare void @_Z4hostv() "hl.host"
@elsewhere = external addrspace(1) global i32
define ptx_kernel void @k() {
  %r = call i32 @vprintf(ptr null, ptr null)
  call void @_Z7missingv()
  call void @_Z4hostv()
  %v = load i32, ptr addrspace(1) @elsewhere
  ret void
}
