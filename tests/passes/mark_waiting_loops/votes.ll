; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that goes on as lanes vote does not yield: the vote itself waits for the lanes that it names. One that meets them to
; look into memory does.
; RUN: %helicon-opt -stages=mark_waiting_loops %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)

; CHECK-LABEL: define void @as_they_vote(
; CHECK-NOT:     __hl_yield
; CHECK:         ret void
define void @as_they_vote(ptr %data) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ -1, %entry ], [ %voted, %next ]
  %sum = phi i32 [ 0, %entry ], [ %more, %next ]
  %value = load i32, ptr %data, align 4
  %stays = icmp ult i32 %sum, %value
  %voted = call i32 @llvm.nvvm.vote.ballot.sync(i32 %lanes, i1 %stays)
  br i1 %stays, label %next, label %done
next:
  %more = add i32 %sum, %voted
  br label %loop
done:
  ret void
}

; CHECK-LABEL: define void @for_memory(
; CHECK:         call void @__hl_yield()
; CHECK:         ret void
define void @for_memory(ptr %data) {
entry:
  br label %loop
loop:
  call void @llvm.nvvm.bar.warp.sync(i32 3)
  %value = load i32, ptr %data, align 4
  %done = icmp eq i32 %value, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}
