; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where a warp only reads between barriers, the first and the last stay. A product of tiles held 16 loads where 12 are enough.
; RUN: %helicon-opt -gpu=sm_90 -stages=join_warp_barriers %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.bar.warp.sync(i32)

; CHECK-LABEL: define void @k(
; CHECK-NEXT:    store i32 0, ptr %p
; CHECK-NEXT:    call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK-NEXT:    %a = load i32, ptr %q
; CHECK-NEXT:    %b = load i32, ptr %q
; CHECK-NEXT:    %c = load i32, ptr %q
; CHECK-NEXT:    call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK-NEXT:    %d = load i32, ptr %q
; CHECK-NEXT:    store i32 %d, ptr %p
define void @k(ptr %p, ptr %q) {
  store i32 0, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %a = load i32, ptr %q
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %b = load i32, ptr %q
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %c = load i32, ptr %q
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %d = load i32, ptr %q
  store i32 %d, ptr %p
  ret void
}
