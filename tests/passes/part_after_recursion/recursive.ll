; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that may run themselves end with a barrier of the lanes that are there: by a call, by others, and by their address.
; The GPU's compiler counted the turns of a loop around such a call in a register of the whole warp, though its lanes had come back apart.
; RUN: %helicon-opt -gpu=sm_90 -stages=part_after_recursion %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = internal addrspace(1) constant [1 x ptr] [ptr @by_address]

; CHECK-LABEL: define internal i32 @itself(
; CHECK:       stop:
; CHECK-NEXT:    [[A:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT:    call void @llvm.nvvm.bar.warp.sync(i32 [[A]])
; CHECK-NEXT:    ret i32 1
; CHECK:       more:
; CHECK:         [[B:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT:    call void @llvm.nvvm.bar.warp.sync(i32 [[B]])
; CHECK-NEXT:    ret i32 %r
define internal i32 @itself(i32 %n) {
  %last = icmp ult i32 %n, 2
  br i1 %last, label %stop, label %more
stop:
  ret i32 1
more:
  %m = sub i32 %n, 1
  %r = call i32 @itself(i32 %m)
  ret i32 %r
}

; CHECK-LABEL: define internal void @one(
; CHECK:         activemask
; CHECK-LABEL: define internal void @other(
; CHECK:         activemask
define internal void @one() {
  call void @other()
  ret void
}
define internal void @other() {
  call void @one()
  ret void
}

; CHECK-LABEL: define internal void @calls_recursive(
; CHECK-NOT:     activemask
; CHECK:         ret void
define internal void @calls_recursive() {
  call void @one()
  ret void
}

; CHECK-LABEL: define internal i32 @by_address(
; CHECK:         activemask
define internal i32 @by_address(ptr %f) {
  %r = call i32 %f(ptr %f)
  ret i32 %r
}

; Another unit may call this one back.
; CHECK-LABEL: define i32 @visible(
; CHECK:         activemask
declare i32 @elsewhere(i32)
define i32 @visible(i32 %x) {
  %r = call i32 @elsewhere(i32 %x)
  ret i32 %r
}
