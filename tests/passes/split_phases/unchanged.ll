; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: a kernel without barriers stays as it is.
; RUN: %helicon-opt -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @k.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z)
; CHECK-NEXT:    %p = load ptr, ptr %launch
; CHECK-NEXT:    store i32 %warp, ptr %p
; CHECK-NEXT:    ret void
define internal void @k.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
  %p = load ptr, ptr %launch, align 8
  store i32 %warp, ptr %p, align 4
  ret void
}

; CHECK-LABEL: define void @k.block(
; CHECK-NEXT:    call void @k.rows(
; CHECK-NEXT:    ret void
define void @k.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
  call void @k.rows(ptr %launch, ptr %block, i32 %begin, i32 -1, i32 0, i32 0, i32 0)
  ret void
}

; flags: has a block function
; CHECK: "hl.flags"="32"
define ptx_kernel void @k(ptr %p) #0 {
  ret void
}
attributes #0 = { "hl.flags"="32" }
