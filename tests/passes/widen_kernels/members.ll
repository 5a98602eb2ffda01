; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A warp function for all lanes in a branch that the lanes of a warp may part at: that all are there is checked where no
; lane can come later, and the thread engine takes the kernel where one can.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @in_a_branch.flat.rows(
; CHECK:         call void @__hl_members_missing(
define ptx_kernel void @in_a_branch(ptr %out, ptr %flags) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i8, ptr %flags, i32 %t
  %flag = load i8, ptr %at
  %c = icmp ne i8 %flag, 0
  br i1 %c, label %then, label %end
then:
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)
  br label %end
end:
  %r = phi i32 [ %s, %then ], [ %t, %entry ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %to
  ret void
}

; Nobody waits for lanes that leave the kernel without another meeting.
; CHECK-LABEL: define internal void @others_leave.flat.rows(
; CHECK-NOT:     __hl_members_missing
define ptx_kernel void @others_leave(ptr %out, ptr %flags) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i8, ptr %flags, i32 %t
  %flag = load i8, ptr %at
  %c = icmp ne i8 %flag, 0
  br i1 %c, label %then, label %end
then:
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)
  br label %end
end:
  %r = phi i32 [ %s, %then ], [ %t, %entry ]
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %to
  ret void
}

; CHECK-NOT:     @in_turns.block
; CHECK:         "hl.engine_note"="warp function for all lanes where lanes have gone different ways"
define ptx_kernel void @in_turns(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %v = phi i32 [ %t, %entry ], [ %w, %latch ]
  %mine = icmp eq i32 %i, %t
  br i1 %mine, label %then, label %latch
then:
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)
  br label %latch
latch:
  %w = phi i32 [ %s, %then ], [ %v, %head ]
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %head, label %end
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %w, ptr %to
  ret void
}
