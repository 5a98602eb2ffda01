; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barriers and inline PTX return: the turns of a loop around them can be counted.
; RUN: %helicon-opt -gpu=sm_90 -stages=mark_returning_calls %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.bar.warp.sync(i32) #0

; CHECK-LABEL: define i32 @k(
; CHECK-NEXT:    call void @llvm.nvvm.bar.warp.sync(i32 -1) #[[RETURNS:[0-9]+]]
; CHECK-NEXT:    %v = call i32 asm sideeffect "movmatrix{{.*}}"(i32 %a) #[[RETURNS]]
define i32 @k(i32 %a) {
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %v = call i32 asm sideeffect "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;", "=r,r"(i32 %a)
  ret i32 %v
}
; CHECK: attributes #[[RETURNS]] = { willreturn }
attributes #0 = { convergent nounwind }
