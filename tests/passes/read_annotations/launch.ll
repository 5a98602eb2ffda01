; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Annotations become facts on the kernel.
; RUN: %helicon-opt -stages=read_annotations %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@.str = private constant [17 x i8] c"mcc.cluster_dims\00", section "llvm.metadata"
@.str2 = private constant [15 x i8] c"mcc.block_size\00", section "llvm.metadata"
@.file = private constant [5 x i8] c"a.cu\00", section "llvm.metadata"
@.args = private constant { i32, i32 } { i32 2, i32 4 }, section "llvm.metadata"
@.args2 = private constant { i32, i32, i32, i32 } { i32 32, i32 2, i32 1, i32 2 }, section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @.str, ptr @.file, i32 1, ptr @.args },
  { ptr, ptr, ptr, i32, ptr } { ptr @b, ptr @.str2, ptr @.file, i32 2, ptr @.args2 }], section "llvm.metadata"

; CHECK-NOT: llvm.global.annotations
; CHECK: define ptx_kernel void @a() #[[A:[0-9]+]]
define ptx_kernel void @a() {
  ret void
}
; CHECK: define ptx_kernel void @b() #[[B:[0-9]+]]
define ptx_kernel void @b() {
  ret void
}
; CHECK-DAG: attributes #[[A]] = { "nvvm.cluster_dim"="2,4,1" }
; CHECK-DAG: attributes #[[B]] = { "hl.block_size"="32,2,1" "nvvm.cluster_dim"="2,1,1" }
