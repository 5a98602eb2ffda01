; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that stay calls are called for one lane after the other; the state of the thread is set for those that ask who
; calls. A call that may reach a function which meets other threads is left to the thread engine; functions of another
; type cannot be reached.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

@table = constant [2 x ptr] [ptr @plain, ptr @plain]
@others = constant [2 x ptr] [ptr @asks, ptr @meets]

define internal i32 @plain(i32 %x) convergent {
  ret i32 %x
}

define internal i32 @asks(i32 %x, float %y) convergent noinline {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %tid
}

define internal i32 @meets(i32 %x, double %y) convergent {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i32 %x
}

; CHECK-LABEL: define internal void @by_pointer.flat.rows.full(
; CHECK:       lane:
; CHECK-NOT:   urem
; CHECK:       %[[F:.*]] = load ptr, ptr
; CHECK:       call i32 %[[F]](i32
; CHECK:       ret void
define ptx_kernel void @by_pointer(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %which = and i32 %tid, 1
  %wide.which = zext i32 %which to i64
  %place.f = getelementptr ptr, ptr @table, i64 %wide.which
  %f = load ptr, ptr %place.f, align 8
  %r = call i32 %f(i32 %tid) convergent
  %wide = zext i32 %tid to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 %r, ptr %place, align 4
  ret void
}

; CHECK-LABEL: define internal void @by_name.flat.rows.full(
; CHECK:       lane:
; CHECK:       urem
; CHECK:       call i32 @asks(
; CHECK:       ret void
define ptx_kernel void @by_name(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = sitofp i32 %tid to float
  %r = call i32 @asks(i32 %tid, float %y) convergent
  %wide = zext i32 %tid to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 %r, ptr %place, align 4
  ret void
}

; CHECK-NOT: @meeting.block
; CHECK: "hl.engine_note"="call by a pointer of functions that may meet other threads"
define ptx_kernel void @meeting(ptr %p, ptr %f) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = sitofp i32 %tid to double
  %r = call i32 %f(i32 %tid, double %y) convergent
  %wide = zext i32 %tid to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 %r, ptr %place, align 4
  ret void
}
