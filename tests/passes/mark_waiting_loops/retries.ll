; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that tries an exchange again with what it has just seen waits for nobody; one that expects a certain value does.
; RUN: %helicon-opt -stages=mark_waiting_loops %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @seen(
; CHECK-NOT:     __hl_yield
; CHECK:         ret void
define void @seen(ptr %p, double %x) {
entry:
  %first = load i64, ptr %p, align 8
  br label %loop
loop:
  %expected = phi i64 [ %first, %entry ], [ %now, %loop ]
  %old = bitcast i64 %expected to double
  %sum = fadd double %old, %x
  %bits = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %expected, i64 %bits seq_cst seq_cst
  %now = extractvalue { i64, i1 } %pair, 0
  %same = icmp eq i64 %now, %expected
  br i1 %same, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @read_again(
; CHECK-NOT:     __hl_yield
; CHECK:         ret void
define void @read_again(ptr %p) {
entry:
  br label %loop
loop:
  %expected = load volatile i32, ptr %p, align 4
  %more = add i32 %expected, 1
  %pair = cmpxchg ptr %p, i32 %expected, i32 %more seq_cst seq_cst
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %done, label %loop
done:
  ret void
}

; The exit is the failure: the loop goes on while it succeeds.
; CHECK-LABEL: define void @while_it_succeeds(
; CHECK:         call void @__hl_yield()
define void @while_it_succeeds(ptr %p) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %now, %loop ]
  %pair = cmpxchg ptr %p, i32 %expected, i32 1 seq_cst seq_cst
  %now = extractvalue { i32, i1 } %pair, 0
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define void @turn(
; CHECK:         call void @__hl_yield()
define void @turn(ptr %p, i32 %mine) {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr %p, i32 %mine, i32 0 seq_cst seq_cst
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %done, label %loop
done:
  ret void
}

; As atomicCAS gives back what it saw.
; CHECK-LABEL: define void @seen_or_expected(
; CHECK-NOT:     __hl_yield
; CHECK:         ret void
define void @seen_or_expected(ptr %p, i32 %x) {
entry:
  %first = load i16, ptr %p, align 2
  br label %loop
loop:
  %expected = phi i16 [ %first, %entry ], [ %now, %loop ]
  %wide = zext i16 %expected to i32
  %sum = add i32 %wide, %x
  %bits = trunc i32 %sum to i16
  %pair = cmpxchg ptr %p, i16 %expected, i16 %bits monotonic monotonic
  %seen = extractvalue { i16, i1 } %pair, 0
  %ok = extractvalue { i16, i1 } %pair, 1
  %now = select i1 %ok, i16 %expected, i16 %seen
  %wide.now = zext i16 %now to i32
  %again = icmp ne i32 %wide.now, %wide
  br i1 %again, label %loop, label %done
done:
  ret void
}

; What is expected next is not what was seen: two threads may wait for each other's numbers.
; CHECK-LABEL: define void @something_else(
; CHECK:         call void @__hl_yield()
define void @something_else(ptr %p, i32 %other) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %now, %loop ]
  %pair = cmpxchg ptr %p, i32 %expected, i32 1 monotonic monotonic
  %ok = extractvalue { i32, i1 } %pair, 1
  %now = select i1 %ok, i32 %expected, i32 %other
  br i1 %ok, label %done, label %loop
done:
  ret void
}
