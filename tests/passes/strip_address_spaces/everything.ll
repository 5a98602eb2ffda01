; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Globals, initialisers, functions, instructions and intrinsics lose their address spaces.
; RUN: %helicon-opt -stages=strip_address_spaces %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @g = global i32 1
; CHECK: @table = global [2 x ptr] [ptr @g, ptr null]
; CHECK: @coef = constant [2 x float]
@g = addrspace(1) global i32 1, align 4
@table = addrspace(1) global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @g to ptr), ptr null], align 8
@coef = addrspace(4) constant [2 x float] zeroinitializer, align 4

; CHECK-LABEL: define i32 @f(ptr %p)
; CHECK-NEXT:    %a = load i32, ptr %p
; CHECK-NEXT:    %b = load i32, ptr @g
; CHECK-NEXT:    %c = load i32, ptr @g
define i32 @f(ptr addrspace(1) %p) {
  %a = load i32, ptr addrspace(1) %p, align 4
  %b = load i32, ptr addrspace(1) @g, align 4
  %c = load i32, ptr addrspacecast (ptr addrspace(1) @g to ptr), align 4
  %d = add i32 %a, %b
  %e = add i32 %c, %d
  ret i32 %e
}

; CHECK-LABEL: define void @copy(ptr %to)
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr @coef, i64 8, i1 false)
; CHECK-NEXT:    call i32 @f(ptr %to)
define void @copy(ptr %to) {
  call void @llvm.memcpy.p0.p4.i64(ptr %to, ptr addrspace(4) @coef, i64 8, i1 false)
  %q = addrspacecast ptr %to to ptr addrspace(1)
  %r = call i32 @f(ptr addrspace(1) %q)
  ret void
}
