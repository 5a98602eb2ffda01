; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: two barriers, barriers of some lanes, and barriers around a store or a call stay as they are.
; RUN: %helicon-opt -gpu=sm_90 -stages=join_warp_barriers %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @f()

; CHECK-LABEL: define i32 @two(
; CHECK-COUNT-2: call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK:         ret
define i32 @two(ptr %p) {
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %a = load i32, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret i32 %a
}
; CHECK-LABEL: define void @some_lanes(
; CHECK-COUNT-3: call void @llvm.nvvm.bar.warp.sync(i32 15)
; CHECK:         ret
define void @some_lanes() {
  call void @llvm.nvvm.bar.warp.sync(i32 15)
  call void @llvm.nvvm.bar.warp.sync(i32 15)
  call void @llvm.nvvm.bar.warp.sync(i32 15)
  ret void
}
; CHECK-LABEL: define void @writes(
; CHECK-COUNT-4: call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK:         ret
define void @writes(ptr %p) {
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  store i32 1, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void @f()
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  store i32 2, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
}
