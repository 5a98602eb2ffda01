; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop with another number of turns in each lane that reads where no other lane reads runs lane after lane, by scalar
; code with 64-bit addresses; one that searches, one that does more than read, and one in which lanes read neighbouring
; places, or members of neighbouring records, stay vectors.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @rows.flat.rows.full(
; CHECK-NOT:   llvm.masked.gather
; CHECK:       call i32 @llvm.cttz.i32(
; CHECK:       load float, ptr
; CHECK:       fadd float
; CHECK:       add nsw i32 %{{.*}}, 1
; CHECK:       !llvm.loop ![[ROLLED:[0-9]+]]
; CHECK:       define
define ptx_kernel void @rows(ptr %starts, ptr %columns, ptr %x, ptr %sums) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = zext i32 %tid to i64
  %start.place = getelementptr i32, ptr %starts, i64 %row
  %start = load i32, ptr %start.place, align 4
  %next.row = add i64 %row, 1
  %end.place = getelementptr i32, ptr %starts, i64 %next.row
  %end = load i32, ptr %end.place, align 4
  br label %header
header:
  %j = phi i32 [ %start, %entry ], [ %j.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %j, %end
  br i1 %more, label %body, label %done
body:
  %wide = sext i32 %j to i64
  %column.place = getelementptr i32, ptr %columns, i64 %wide
  %column = load i32, ptr %column.place, align 4
  %wide.column = sext i32 %column to i64
  %x.place = getelementptr float, ptr %x, i64 %wide.column
  %value = load float, ptr %x.place, align 4
  %sum.next = fadd float %sum, %value
  %j.next = add nsw i32 %j, 1
  br label %header
done:
  %to = getelementptr float, ptr %sums, i64 %row
  store float %sum, ptr %to, align 4
  ret void
}

; The next place to read depends on what has been read.
; CHECK-LABEL: define internal void @search.flat.rows.full(
; CHECK:       llvm.masked.gather
define ptx_kernel void @search(ptr %links, ptr %keys, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = zext i32 %tid to i64
  br label %loop
loop:
  %at = phi i64 [ %lane, %entry ], [ %next, %loop ]
  %place = getelementptr i64, ptr %links, i64 %at
  %next = load i64, ptr %place, align 8
  %key.place = getelementptr i32, ptr %keys, i64 %next
  %key = load i32, ptr %key.place, align 4
  %more = icmp ne i32 %key, 0
  br i1 %more, label %loop, label %done
done:
  %found = phi i64 [ %next, %loop ]
  %to = getelementptr i64, ptr %out, i64 %lane
  store i64 %found, ptr %to, align 8
  ret void
}

; The order in which lanes write could be seen.
; CHECK-LABEL: define internal void @writes.flat.rows.full(
; CHECK:       llvm.masked.gather
define ptx_kernel void @writes(ptr %starts, ptr %columns, ptr %x, ptr %sums) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = zext i32 %tid to i64
  %end.place = getelementptr i32, ptr %starts, i64 %row
  %end = load i32, ptr %end.place, align 4
  br label %header
header:
  %j = phi i32 [ %tid, %entry ], [ %j.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %j, %end
  br i1 %more, label %body, label %done
body:
  %scaled = mul i32 %j, 3
  %wide = sext i32 %scaled to i64
  %column.place = getelementptr i32, ptr %columns, i64 %wide
  %column = load i32, ptr %column.place, align 4
  %wide.column = sext i32 %column to i64
  %x.place = getelementptr float, ptr %x, i64 %wide.column
  %value = load float, ptr %x.place, align 4
  %sum.next = fadd float %sum, %value
  store float %sum.next, ptr %x.place, align 4
  %j.next = add nsw i32 %j, 1
  br label %header
done:
  %to = getelementptr float, ptr %sums, i64 %row
  store float %sum, ptr %to, align 4
  ret void
}

; Threads that walk side by side: what they read stands side by side.
; CHECK-LABEL: define internal void @side_by_side.flat.rows.full(
; CHECK:       call <32 x float> @llvm.masked.load
define ptx_kernel void @side_by_side(i32 %n, ptr %a, ptr %b, ptr %sums) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %header
header:
  %j = phi i32 [ %tid, %entry ], [ %j.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %j, %n
  br i1 %more, label %body, label %done
body:
  %wide = sext i32 %j to i64
  %a.place = getelementptr float, ptr %a, i64 %wide
  %x = load float, ptr %a.place, align 4
  %b.place = getelementptr float, ptr %b, i64 %wide
  %y = load float, ptr %b.place, align 4
  %product = fmul float %x, %y
  %sum.next = fadd float %sum, %product
  %j.next = add nsw i32 %j, 32
  br label %header
done:
  %row = zext i32 %tid to i64
  %to = getelementptr float, ptr %sums, i64 %row
  store float %sum, ptr %to, align 4
  ret void
}

; Records that stand side by side: one wide access reads their members for all lanes.
; CHECK-LABEL: define internal void @records.flat.rows.full(
; CHECK-NOT:   call i32 @llvm.cttz.i32(
; CHECK:       call <64 x i16> @llvm.masked.load
; CHECK:       define
define ptx_kernel void @records(i32 %n, ptr %a, ptr %sums) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %header
header:
  %j = phi i32 [ %tid, %entry ], [ %j.next, %body ]
  %sum = phi i16 [ 0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %j, %n
  br i1 %more, label %body, label %done
body:
  %wide = sext i32 %j to i64
  %x.place = getelementptr [2 x i16], ptr %a, i64 %wide
  %x = load i16, ptr %x.place, align 4
  %y.place = getelementptr i8, ptr %x.place, i64 2
  %y = load i16, ptr %y.place, align 2
  %product = mul i16 %x, %y
  %sum.next = add i16 %sum, %product
  %j.next = add nsw i32 %j, 32
  br label %header
done:
  %row = zext i32 %tid to i64
  %to = getelementptr i16, ptr %sums, i64 %row
  store i16 %sum, ptr %to, align 2
  ret void
}

; CHECK: ![[ROLLED]] = distinct !{![[ROLLED]]{{.*}}}
; CHECK: "llvm.loop.unroll.disable"
