; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that nothing bounds and that reads what others write yields on its back edge; a counted loop with atomics does not.
; RUN: %helicon-opt -stages=mark_waiting_loops %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @lock(
; CHECK:       spin:
; CHECK:         cmpxchg
; CHECK:         br i1 %ok, label %done, label %[[BACK:.*]]
; CHECK:       [[BACK]]:
; CHECK-NEXT:    call void @__hl_yield()
; CHECK-NEXT:    br label %spin
; CHECK:       done:
define void @lock(ptr %p) {
entry:
  br label %spin
spin:
  %pair = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %done, label %spin
done:
  ret void
}

; CHECK-LABEL: define void @counted(
; CHECK-NOT:     __hl_yield
; CHECK:         ret void
define void @counted(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr %p, i32 1 monotonic
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define void @halving(
; CHECK-NOT:     __hl_yield
; CHECK:         ret void
define void @halving(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = lshr i32 %i, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A loop over a grid: the step is not known, and the index may wrap around.
; CHECK-LABEL: define void @grid_stride(
; CHECK-NOT:     __hl_yield
; CHECK:         ret void
define void @grid_stride(ptr %p, i32 %first, i32 %step, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %done
body:
  %old = atomicrmw add ptr %p, i32 1 monotonic
  %next = add i32 %i, %step
  br label %head
done:
  ret void
}

; The count goes on only when another thread lets it.
; CHECK-LABEL: define void @count_of_successes(
; CHECK:         call void @__hl_yield()
; CHECK:         ret void
define void @count_of_successes(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %done
body:
  %old = atomicrmw xchg ptr %p, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  %one = zext i1 %free to i32
  %next = add i32 %i, %one
  br label %head
done:
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
