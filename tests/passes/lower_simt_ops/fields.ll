; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Special registers are loads from the state of the thread or of the launch, with their range. What tells threads apart
; stays the same in a kernel; a function may be called for one lane of a warp after the other.
; RUN: %helicon-opt -stages=lower_simt_ops %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()

; CHECK-LABEL: define i32 @tid()
; CHECK:         %[[SELF:.*]] = call ptr @hl.self()
; CHECK:         load i32, ptr %{{.*}}, align 8, !range ![[TID:[0-9]+]], !noundef
define i32 @tid() {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %v
}

; CHECK-LABEL: define ptx_kernel void @kernel(
; CHECK:         load i32, ptr %{{.*}}, align 8, !range ![[TID]], !invariant.load
define ptx_kernel void @kernel(ptr %p) {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define i32 @grid()
; CHECK:         %[[SELF:.*]] = call ptr @hl.self()
; CHECK:         getelementptr inbounds i8, ptr %[[SELF]], i64 40
define i32 @grid() {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  ret i32 %v
}

; CHECK-LABEL: define i32 @width()
; CHECK-NEXT:    ret i32 32
define i32 @width() {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  ret i32 %v
}

; CHECK-LABEL: define i32 @below()
; CHECK:         %[[EQ:.*]] = shl i32 1, %lane
; CHECK:         sub i32 %[[EQ]], 1
define i32 @below() {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  ret i32 %v
}

; CHECK-LABEL: define i32 @dynamic()
; CHECK:         getelementptr inbounds i8, ptr %{{.*}}, i64 72
; CHECK:         %launch = load ptr
define i32 @dynamic() {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  ret i32 %v
}
; CHECK-NOT: llvm.nvvm
; CHECK: ![[TID]] = !{i32 0, i32 1024}
