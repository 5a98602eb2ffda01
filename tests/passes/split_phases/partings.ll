; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Warps may part at a guard and at the end of a loop, by numbers that follow from theirs: they run jointly while they go
; the same way. Where they do not, each keeps what it has, and goes on alone from there before any barrier opens.
; RUN: %helicon-opt -cpu=x86-64-v4 -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_block_over()

; CHECK-NOT:   __hl_parting
; CHECK-LABEL: define internal i32 @sums.rows.phase0.joint8(
; The warps' numbers are 32 apart: the first and the last one tell about all.
; CHECK:         %[[LAST:.*]] = add i32 %[[FIRST:first[0-9]*]], 224
; CHECK:         %[[FIRST_IN:.*]] = icmp slt i32 %[[FIRST]], %n
; CHECK:         %[[LAST_IN:.*]] = icmp slt i32 %[[LAST]], %n
; CHECK-NEXT:    %[[ORDER:.*]] = icmp sle i32 %[[FIRST]], %[[LAST]]
; CHECK-NEXT:    %[[ALL:.*]] = and i1 %[[ORDER]], %[[LAST_IN]]
; CHECK-NEXT:    %[[OUT:.*]] = xor i1 %[[FIRST_IN]], true
; CHECK-NEXT:    %[[NONE:.*]] = and i1 %[[ORDER]], %[[OUT]]
; CHECK-NEXT:    br i1 %[[ALL]], label %inside{{[0-9]*}}, label %[[NOT_ALL:part[0-9]*]]
; CHECK:       loop:
; CHECK-COUNT-1: = phi i32
; CHECK-COUNT-8: = phi <32 x float>
; CHECK:         %[[WIDE:.*]] = sext i32 %i to i64
; CHECK-NOT:     = sext
; CHECK:         %at = getelementptr float, ptr %{{.*}}, i64 %[[WIDE]]
; CHECK-NEXT:    getelementptr i8, ptr %at, i64 128
; CHECK-COUNT-8: load <32 x float>
; CHECK-COUNT-8: fadd <32 x float>
; CHECK:       [[NOT_ALL]]:
; CHECK-NEXT:    br i1 %[[NONE]], label %done{{[0-9]*}}, label %[[APART:part[0-9]*]]
; CHECK:       [[APART]]:
; CHECK-NEXT:    br label %next.warp
; CHECK-COUNT-8: store <32 x float>
; CHECK:       next.warp:
; CHECK-NEXT:    = phi i32 [ -1, %{{.*}} ], [ 1, %[[APART]] ], [ 2, %{{.*}} ]
; CHECK:         br i1 %{{.*}}, label %agree, label %several
; CHECK:       several:
; CHECK-COUNT-2: call void @hl.note.next(ptr %state,
; CHECK:       agree:
; CHECK-NEXT:    = phi i32 [ %next.phase, %next.warp ], [ -2, %several ]
; CHECK-LABEL: define internal i32 @sums.rows.phase0(
; CHECK:         call i32 @sums.rows.phase0.joint8(
; CHECK-LABEL: define internal i32 @sums.rows.phase1(
; CHECK-NOT:     joint
; CHECK-LABEL: define internal i32 @sums.rows.phase2(
; CHECK:         load <32 x float>
; CHECK-LABEL: define internal void @sums.rounds(
; CHECK:         call i32 @sums.rows.phase0(
; CHECK:         switch i32 %{{.*}}, label %again [
define internal void @sums.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %count = getelementptr i8, ptr %p, i64 8
  %n = load i32, ptr %count, align 4, !invariant.load !0
  %first = shl i32 %warp, 5
  %some = icmp slt i32 %first, %n
  br i1 %some, label %inside, label %done
inside:
  %out = getelementptr float, ptr %p, i32 %first
  br label %loop
loop:
  %i = phi i32 [ %first, %inside ], [ %next, %loop ]
  %sum = phi <32 x float> [ zeroinitializer, %inside ], [ %more, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  %v = load <32 x float>, ptr %at, align 4
  %more = fadd <32 x float> %sum, %v
  %next = add i32 %i, 512
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %store
store:
  store <32 x float> %more, ptr %out, align 4
  br label %done
done:
  ret void
}
define void @sums.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @sums.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @sums(ptr %p) #0 {
  ret void
}

; A warp's lanes are in order and its last one is inside: two conditions in one.
; CHECK-LABEL: define internal i32 @lanes.rows.phase0.joint8(
; CHECK:       loop:
; CHECK:         %[[LAST:.*]] = add i32 %i, 224
; CHECK:         %inside = icmp slt i32 %last, %n
; CHECK:         %[[LAST_IN:.*]] = icmp slt i32 %last43, %n
; CHECK-NEXT:    %room = icmp slt i32 %i, 2147483617
; CHECK:         %[[ROOM:.*]] = icmp slt i32 %[[LAST]], 2147483617
; CHECK-NEXT:    %both = and
; CHECK:         %[[TOP_ORDER:.*]] = icmp sle i32 %last, %last43
; CHECK-NEXT:    %[[ALL_IN:.*]] = and i1 %[[TOP_ORDER]], %[[LAST_IN]]
; CHECK:         %[[ORDER:.*]] = icmp sle i32 %i, %[[LAST]]
; CHECK-NEXT:    %[[ALL_ROOM:.*]] = and i1 %[[ORDER]], %[[ROOM]]
; CHECK:         %[[ALL:.*]] = and i1 %[[ALL_IN]], %[[ALL_ROOM]]
; CHECK-NEXT:    %[[NONE:.*]] = or i1
; CHECK-NEXT:    br i1 %[[ALL]], label %all, label %part
; CHECK:       all:
; CHECK:         %wide = sext i32 %i to i64
; CHECK-NOT:     = sext
; CHECK-COUNT-8: load <32 x float>
; CHECK:         br i1 %[[NONE]], label %done
; CHECK-LABEL: define internal i32 @lanes.rows.phase0(
define internal void @lanes.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %count = getelementptr i8, ptr %p, i64 8
  %n = load i32, ptr %count, align 4, !invariant.load !0
  %row = shl nuw nsw i32 %warp, 5
  %first = add i32 %row, %x
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %all ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %all ]
  %last = add i32 %i, 31
  %inside = icmp slt i32 %last, %n
  %room = icmp slt i32 %i, 2147483617
  %both = and i1 %inside, %room
  br i1 %both, label %all, label %done
all:
  %wide = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %wide
  %v = load <32 x float>, ptr %at, align 4
  %more = fadd <32 x float> %sum, %v
  %next = add i32 %i, 512
  br label %loop
done:
  %out = getelementptr float, ptr %p, i32 %first
  store <32 x float> %sum, ptr %out, align 4
  ret void
}
define void @lanes.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @lanes.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @lanes(ptr %p) #0 {
  ret void
}

attributes #0 = { "hl.flags"="32" }
!0 = !{}
