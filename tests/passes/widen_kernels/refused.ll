; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop in which lanes may wait for each other is left to the thread engine where they also meet before they have got on, and the
; kernel says why.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_yield()
declare void @llvm.nvvm.bar.warp.sync(i32)

; CHECK-NOT:     @lock.block
; CHECK:         "hl.engine_note"="a loop in which lanes of a warp may wait for each other"
define ptx_kernel void @lock(ptr %p) {
entry:
  br label %spin
spin:
  %pair = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  %won = extractvalue { i32, i1 } %pair, 1
  call void @__hl_yield()
  br i1 %won, label %done, label %spin
done:
  call void @llvm.nvvm.bar.warp.sync(i32 1)
  store atomic i32 0, ptr %p release, align 4
  ret void
}
