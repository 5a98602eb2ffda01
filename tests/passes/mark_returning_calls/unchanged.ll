; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: calls of functions, and of what ends a thread, may not return.
; RUN: %helicon-opt -gpu=sm_90 -stages=mark_returning_calls %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @f()

; CHECK-LABEL: define void @k()
; CHECK-NEXT:    call void @f(){{$}}
; CHECK-NEXT:    call void asm sideeffect "exit;", ""(){{$}}
; CHECK-NEXT:    call void asm sideeffect "trap;", ""(){{$}}
; CHECK-NEXT:    ret void
define void @k() {
  call void @f()
  call void asm sideeffect "exit;", ""()
  call void asm sideeffect "trap;", ""()
  ret void
}
