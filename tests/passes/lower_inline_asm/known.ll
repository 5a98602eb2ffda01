; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Special registers, fences and barriers become the operations they are.
; RUN: %helicon-opt -stages=lower_inline_asm,tidy %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @k(
; CHECK-NEXT:    %[[LANE:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK-NEXT:    call void @llvm.nvvm.membar.gl()
; CHECK-NEXT:    call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
; CHECK-NEXT:    %[[TIME:.*]] = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
; CHECK-NEXT:    call void asm sideeffect "", "~{memory}"()
; CHECK-NEXT:    ret i32 %[[LANE]]
define i32 @k() {
  %lane = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  call void asm sideeffect " membar.gl; // all of the device", "~{memory}"()
  call void asm sideeffect "bar.sync 1;", "~{memory}"()
  %time = call i64 asm sideeffect "mov.u64\09$0, %globaltimer;", "=l"()
  call void asm sideeffect "", "~{memory}"()
  ret i32 %lane
}
