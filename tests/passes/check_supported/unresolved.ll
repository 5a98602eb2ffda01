; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is undefined or unknown at the end is named.
; RUN: not %helicon-opt -stages=check_supported %s 2>&1 | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @_Z1fi(i32)
declare i32 @_Z4hosti(i32) #0
declare i1 @llvm.nvvm.istypep.texture(i64)
@missing = external global i32

; CHECK-DAG: error: unresolved extern function 'f(int)' (in 'k')
; CHECK-DAG: error: the operation llvm.nvvm.istypep.texture is not supported on the CPU (in 'k')
; CHECK-DAG: error: unresolved extern variable 'missing'
; CHECK-NOT: host
define void @k(ptr %p) {
  %a = call i32 @_Z1fi(i32 1)
  %b = call i32 @_Z4hosti(i32 1)
  %c = call i1 @llvm.nvvm.istypep.texture(i64 0)
  %d = load i32, ptr @missing
  ret void
}
attributes #0 = { "hl.host" }
