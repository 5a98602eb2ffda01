; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops that write, that step by something else, whose index or whose last element is asked for later, that are no last
; turns, and code for processors that do not gather stay as they are.
; RUN: %helicon-opt -stages=repeat_last_turns %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: @other_level(
; CHECK:       full:
define <32 x float> @other_level(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #1 {
entry:
  %last = add i32 %from, 31
  %all = icmp slt i32 %last, %end
  br i1 %all, label %full, label %head

full:
  %j = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums.j = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %wide.j = sext i32 %j to i64
  %place.j = getelementptr i32, ptr %columns, i64 %wide.j
  %column.j = load <32 x i32>, ptr %place.j, align 4
  %far.j = getelementptr float, ptr %x, <32 x i32> %column.j
  %picked.j = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far.j, <32 x i1> splat (i1 true), <32 x float> poison)
  %sums.next = fadd <32 x float> %sums.j, %picked.j
  %j.next = add i32 %j, 32
  %last.next = add i32 %j, 63
  %more = icmp slt i32 %last.next, %end
  br i1 %more, label %full, label %head

head:
  %i = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %some = icmp slt i32 %i, %end
  br i1 %some, label %turn, label %after, !prof !1, !hl.last_turn !0

turn:
  %lanes = sub i32 %end, %i
  %rest = shl nsw i32 -1, %lanes
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %columns, i64 %wide
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %column = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %place, <32 x i1> %mask, <32 x i32> poison)
  %far = getelementptr float, ptr %x, <32 x i32> %column
  %picked = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far, <32 x i1> %mask, <32 x float> poison)
  %new = fadd <32 x float> %sums, %picked
  %kept = select <32 x i1> %mask, <32 x float> %new, <32 x float> %sums
  br label %after

after:
  %result = phi <32 x float> [ %sums, %head ], [ %kept, %turn ]
  ret <32 x float> %result
}

; CHECK-LABEL: @no_last_turn(
; CHECK:       full:
define <32 x float> @no_last_turn(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #0 {
entry:
  %last = add i32 %from, 31
  %all = icmp slt i32 %last, %end
  br i1 %all, label %full, label %head

full:
  %j = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums.j = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %wide.j = sext i32 %j to i64
  %place.j = getelementptr i32, ptr %columns, i64 %wide.j
  %column.j = load <32 x i32>, ptr %place.j, align 4
  %far.j = getelementptr float, ptr %x, <32 x i32> %column.j
  %picked.j = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far.j, <32 x i1> splat (i1 true), <32 x float> poison)
  %sums.next = fadd <32 x float> %sums.j, %picked.j
  %j.next = add i32 %j, 32
  %last.next = add i32 %j, 63
  %more = icmp slt i32 %last.next, %end
  br i1 %more, label %full, label %head

head:
  %i = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %some = icmp slt i32 %i, %end
  br i1 %some, label %turn, label %after, !prof !1

turn:
  %lanes = sub i32 %end, %i
  %rest = shl nsw i32 -1, %lanes
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %columns, i64 %wide
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %column = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %place, <32 x i1> %mask, <32 x i32> poison)
  %far = getelementptr float, ptr %x, <32 x i32> %column
  %picked = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far, <32 x i1> %mask, <32 x float> poison)
  %new = fadd <32 x float> %sums, %picked
  %kept = select <32 x i1> %mask, <32 x float> %new, <32 x float> %sums
  br label %after

after:
  %result = phi <32 x float> [ %sums, %head ], [ %kept, %turn ]
  ret <32 x float> %result
}

; CHECK-LABEL: @larger_steps(
; CHECK:       full:
define <32 x float> @larger_steps(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #0 {
entry:
  %last = add i32 %from, 31
  %all = icmp slt i32 %last, %end
  br i1 %all, label %full, label %head

full:
  %j = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums.j = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %wide.j = sext i32 %j to i64
  %place.j = getelementptr i32, ptr %columns, i64 %wide.j
  %column.j = load <32 x i32>, ptr %place.j, align 4
  %far.j = getelementptr float, ptr %x, <32 x i32> %column.j
  %picked.j = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far.j, <32 x i1> splat (i1 true), <32 x float> poison)
  %sums.next = fadd <32 x float> %sums.j, %picked.j
  %j.next = add i32 %j, 32
  %last.next = add i32 %j, 63
  %more = icmp slt i32 %last.next, %end
  br i1 %more, label %full, label %head

head:
  %i = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %some = icmp slt i32 %i, %end
  br i1 %some, label %turn, label %after, !prof !1, !hl.last_turn !2

turn:
  %lanes = sub i32 %end, %i
  %rest = shl nsw i32 -1, %lanes
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %columns, i64 %wide
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %column = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %place, <32 x i1> %mask, <32 x i32> poison)
  %far = getelementptr float, ptr %x, <32 x i32> %column
  %picked = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far, <32 x i1> %mask, <32 x float> poison)
  %new = fadd <32 x float> %sums, %picked
  %kept = select <32 x i1> %mask, <32 x float> %new, <32 x float> %sums
  br label %after

after:
  %result = phi <32 x float> [ %sums, %head ], [ %kept, %turn ]
  ret <32 x float> %result
}

; CHECK-LABEL: @writes(
; CHECK:       full:
define <32 x float> @writes(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #0 {
entry:
  %last = add i32 %from, 31
  %all = icmp slt i32 %last, %end
  br i1 %all, label %full, label %head

full:
  %j = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums.j = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %wide.j = sext i32 %j to i64
  %place.j = getelementptr i32, ptr %columns, i64 %wide.j
  %column.j = load <32 x i32>, ptr %place.j, align 4
  %far.j = getelementptr float, ptr %x, <32 x i32> %column.j
  %picked.j = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far.j, <32 x i1> splat (i1 true), <32 x float> poison)
  %sums.next = fadd <32 x float> %sums.j, %picked.j
  %j.next = add i32 %j, 32
  %last.next = add i32 %j, 63
  %more = icmp slt i32 %last.next, %end
  br i1 %more, label %full, label %head

head:
  %i = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %some = icmp slt i32 %i, %end
  br i1 %some, label %turn, label %after, !prof !1, !hl.last_turn !0

turn:
  %lanes = sub i32 %end, %i
  %rest = shl nsw i32 -1, %lanes
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %columns, i64 %wide
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %column = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %place, <32 x i1> %mask, <32 x i32> poison)
  %far = getelementptr float, ptr %x, <32 x i32> %column
  %picked = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far, <32 x i1> %mask, <32 x float> poison)
  %new = fadd <32 x float> %sums, %picked
  store i32 0, ptr %to, align 4
  %kept = select <32 x i1> %mask, <32 x float> %new, <32 x float> %sums
  br label %after

after:
  %result = phi <32 x float> [ %sums, %head ], [ %kept, %turn ]
  ret <32 x float> %result
}

; CHECK-LABEL: @asks_for_the_index(
; CHECK:       full:
define <32 x float> @asks_for_the_index(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #0 {
entry:
  %last = add i32 %from, 31
  %all = icmp slt i32 %last, %end
  br i1 %all, label %full, label %head

full:
  %j = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums.j = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %wide.j = sext i32 %j to i64
  %place.j = getelementptr i32, ptr %columns, i64 %wide.j
  %column.j = load <32 x i32>, ptr %place.j, align 4
  %far.j = getelementptr float, ptr %x, <32 x i32> %column.j
  %picked.j = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far.j, <32 x i1> splat (i1 true), <32 x float> poison)
  %sums.next = fadd <32 x float> %sums.j, %picked.j
  %j.next = add i32 %j, 32
  %last.next = add i32 %j, 63
  %more = icmp slt i32 %last.next, %end
  br i1 %more, label %full, label %head

head:
  %i = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %some = icmp slt i32 %i, %end
  br i1 %some, label %turn, label %after, !prof !1, !hl.last_turn !0

turn:
  %lanes = sub i32 %end, %i
  %rest = shl nsw i32 -1, %lanes
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %columns, i64 %wide
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %column = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %place, <32 x i1> %mask, <32 x i32> poison)
  %far = getelementptr float, ptr %x, <32 x i32> %column
  %picked = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far, <32 x i1> %mask, <32 x float> poison)
  %new = fadd <32 x float> %sums, %picked
  %kept = select <32 x i1> %mask, <32 x float> %new, <32 x float> %sums
  br label %after

after:
  %result = phi <32 x float> [ %sums, %head ], [ %kept, %turn ]
  store i32 %i, ptr %to, align 4
  ret <32 x float> %result
}

; CHECK-LABEL: @other_result(
; CHECK:       full:
define <32 x float> @other_result(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #0 {
entry:
  %last = add i32 %from, 31
  %all = icmp slt i32 %last, %end
  br i1 %all, label %full, label %head

full:
  %j = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums.j = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %wide.j = sext i32 %j to i64
  %place.j = getelementptr i32, ptr %columns, i64 %wide.j
  %column.j = load <32 x i32>, ptr %place.j, align 4
  %far.j = getelementptr float, ptr %x, <32 x i32> %column.j
  %picked.j = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far.j, <32 x i1> splat (i1 true), <32 x float> poison)
  %sums.next = fadd <32 x float> %sums.j, %picked.j
  %j.next = add i32 %j, 32
  %last.next = add i32 %j, 63
  %more = icmp slt i32 %last.next, %end
  br i1 %more, label %full, label %head

head:
  %i = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %some = icmp slt i32 %i, %end
  br i1 %some, label %turn, label %after, !prof !1, !hl.last_turn !0

turn:
  %lanes = sub i32 %end, %i
  %rest = shl nsw i32 -1, %lanes
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %columns, i64 %wide
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %column = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %place, <32 x i1> %mask, <32 x i32> poison)
  %far = getelementptr float, ptr %x, <32 x i32> %column
  %picked = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far, <32 x i1> %mask, <32 x float> poison)
  %new = fadd <32 x float> %sums, %picked
  %kept = select <32 x i1> %mask, <32 x float> %new, <32 x float> %sums
  br label %after

after:
  %result = phi <32 x float> [ zeroinitializer, %head ], [ %kept, %turn ]
  ret <32 x float> %result
}

; CHECK-LABEL: @up_to_the_end(
; CHECK:       full:
define <32 x float> @up_to_the_end(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #0 {
entry:
  %last = add i32 %from, 31
  %all = icmp slt i32 %last, %end
  br i1 %all, label %full, label %head

full:
  %j = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums.j = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %wide.j = sext i32 %j to i64
  %place.j = getelementptr i32, ptr %columns, i64 %wide.j
  %column.j = load <32 x i32>, ptr %place.j, align 4
  %far.j = getelementptr float, ptr %x, <32 x i32> %column.j
  %picked.j = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far.j, <32 x i1> splat (i1 true), <32 x float> poison)
  %sums.next = fadd <32 x float> %sums.j, %picked.j
  %j.next = add i32 %j, 32
  %last.next = add i32 %j, 63
  %more = icmp slt i32 %last.next, %end
  br i1 %more, label %full, label %head

head:
  %i = phi i32 [ %from, %entry ], [ %j.next, %full ]
  %sums = phi <32 x float> [ zeroinitializer, %entry ], [ %sums.next, %full ]
  %some = icmp sle i32 %i, %end
  br i1 %some, label %turn, label %after, !prof !1, !hl.last_turn !0

turn:
  %lanes = sub i32 %end, %i
  %rest = shl nsw i32 -1, %lanes
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %wide = sext i32 %i to i64
  %place = getelementptr i32, ptr %columns, i64 %wide
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %column = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %place, <32 x i1> %mask, <32 x i32> poison)
  %far = getelementptr float, ptr %x, <32 x i32> %column
  %picked = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %far, <32 x i1> %mask, <32 x float> poison)
  %new = fadd <32 x float> %sums, %picked
  %kept = select <32 x i1> %mask, <32 x float> %new, <32 x float> %sums
  br label %after

after:
  %result = phi <32 x float> [ %sums, %head ], [ %kept, %turn ]
  ret <32 x float> %result
}

attributes #0 = { "target-cpu"="x86-64-v4" }
attributes #1 = { "target-cpu"="x86-64-v2" }

!0 = !{i64 32}
!1 = !{!"branch_weights", i32 1, i32 1048575}
!2 = !{i64 64}
