; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One loop of turns of up to all lanes, without the branch weights of a last turn.
; RUN: %helicon-opt -stages=repeat_last_turns %s | %FileCheck %s
; RUN: %helicon-opt -stages=repeat_last_turns,read_by_registers %s | %FileCheck --check-prefix=REGISTERS %s
; REQUIRES: helicon-opt

; CHECK-LABEL: @row(
; CHECK-NOT:     full:
; CHECK:       entry:
; CHECK:         br label %head
; CHECK:       head:
; CHECK-NEXT:    %some = icmp slt i32 %from, %end
; CHECK-NEXT:    br i1 %some, label %turn, label %after{{$}}
; CHECK:       turn:
; CHECK:         %[[I:.*]] = phi i32 [ %from, %head ], [ %[[NEXT:.*]], %turn ]
; CHECK:         %[[SUMS:.*]] = phi <32 x float> [ zeroinitializer, %head ], [ %kept, %turn ]
; CHECK:         sub i32 %end, %[[I]]
; CHECK:         %[[MASK:.*]] = icmp ugt <32 x i32> %{{.*}}, <i32 0, i32 1,
; CHECK-NOT:     prefetch
; CHECK:         masked.load.v32i32.p0(ptr align 4 %place, <32 x i1> %[[MASK]],
; CHECK:         %new = fadd <32 x float> %[[SUMS]], %picked
; CHECK:         %kept = select <32 x i1> %[[MASK]], <32 x float> %new, <32 x float> %[[SUMS]]
; CHECK:         %[[NEXT]] = add i32 %[[I]], 32
; CHECK:         %[[MORE:.*]] = icmp slt i32 %[[NEXT]], %end
; CHECK:         br i1 %[[MORE]], label %turn, label %after
; CHECK:       after:
; CHECK:         phi <32 x float> [ zeroinitializer, %head ], [ %kept, %turn ]

; The second register of a turn is left out where there are no lanes for it; it keeps what it had.
; REGISTERS-LABEL: @row(
; REGISTERS:         masked.gather.v16f32
; REGISTERS:         icmp ugt i32 %{{.*}}, 16
; REGISTERS:         br i1 %{{.*}}, label %more.lanes, label %[[JOIN:.*]]{{$}}
; REGISTERS:       more.lanes:
; REGISTERS:         masked.gather.v16f32
; REGISTERS:         %[[HIGH:.*]] = select <16 x i1>
; REGISTERS:       [[JOIN]]:
; REGISTERS:         phi <16 x float> [ %[[HAD:.*]], %turn ], [ %[[HIGH]], %more.lanes ]
; REGISTERS:         shufflevector <16 x float>
define <32 x float> @row(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #0 {
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

; What is compared from the other side.
; CHECK-LABEL: @other_side(
; CHECK-NOT:     full:
; CHECK:         icmp slt i32 %{{.*}}, %end
; CHECK:         br i1 %{{.*}}, label %turn, label %after
define <32 x float> @other_side(ptr %columns, ptr %x, ptr %to, i32 %from, i32 %end) #0 {
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
  %some = icmp sgt i32 %end, %i
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
attributes #1 = { "target-cpu"="x86-64-v3" }

!0 = !{i64 32}
!1 = !{!"branch_weights", i32 1, i32 1048575}
!2 = !{i64 64}
