; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The first warp for which a phase has nothing to do is the last one that runs it, where all behind it would do nothing
; either. What all warps have alike is kept once, in the frame of the first one. Where the bound differs between warps,
; all run.
; RUN: %helicon-opt -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_barrier(i32, i32)
declare void @__hl_block_over()

; CHECK-LABEL: define internal i32 @halves.rows.phase1(
; CHECK:       entry:
; CHECK:         %[[FIRST:.*]] = zext i32 %begin to i64
; CHECK-NEXT:    %[[OFFSET:.*]] = mul i64 %[[FIRST]],
; CHECK-NEXT:    %[[PLACE:.*]] = add i64 %[[OFFSET]],
; CHECK-NEXT:    %[[FRAME:.*]] = getelementptr i8, ptr %state, i64 %[[PLACE]]
; CHECK:         load i32, ptr %{{.*}}, align 8
; CHECK:         br label %each.warp
; CHECK:         %warp = phi i32 [ %begin, %entry ], [ %[[NEXT:.*]], %agree ]
; CHECK:         br i1 %works, label %busy, label %met
; CHECK:       met:
; CHECK-NEXT:    %[[BUSY:.*]] = phi i1 [ true, %work ], [ false, %after ]
; CHECK:         %[[S:.*]] = lshr i32
; CHECK:         %[[AT:.*]] = getelementptr inbounds i8, ptr %[[FRAME]],
; CHECK-NEXT:    store i32 %{{.*}}, ptr %[[AT]], align 8
; CHECK-NOT:     iv.next
; CHECK:       next.warp:
; CHECK:         %[[NEXT]] = select i1 %[[BUSY]], i32 %{{.*}}, i32 %end
; CHECK-LABEL: define internal void @halves.rounds(
define internal void @halves.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %first = load i32, ptr %p, align 4
  br label %loop
loop:
  %wide = phi i32 [ %first, %entry ], [ %s, %met ]
  %s = lshr i32 %wide, 1
  call void @__hl_barrier(i32 0, i32 0)
  %lane = shl nuw nsw i32 %warp, 5
  %works = icmp ult i32 %lane, %s
  br i1 %works, label %work, label %met
work:
  %place = getelementptr float, ptr %p, i32 %lane
  %v = load <32 x float>, ptr %place, align 4
  %more = fadd <32 x float> %v, %v
  store <32 x float> %more, ptr %place, align 4
  br label %met
met:
  %again = icmp ugt i32 %s, 1
  br i1 %again, label %loop, label %done
done:
  ret void
}
define void @halves.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @halves.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @halves(ptr %p) #0 {
  ret void
}

; CHECK-LABEL: define internal i32 @own.rows.phase1(
; CHECK-NOT:     select i1
; CHECK-LABEL: define internal void @own.rounds(
define internal void @own.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %lane = shl nuw nsw i32 %warp, 5
  %bound.place = getelementptr i32, ptr %p, i32 %lane
  %bound = load i32, ptr %bound.place, align 4
  call void @__hl_barrier(i32 0, i32 0)
  %works = icmp ult i32 %lane, %bound
  br i1 %works, label %work, label %done
work:
  %place = getelementptr float, ptr %p, i32 %lane
  store <32 x float> zeroinitializer, ptr %place, align 4
  br label %done
done:
  ret void
}
define void @own.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @own.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @own(ptr %p) #0 {
  ret void
}

attributes #0 = { "hl.flags"="96" }
!0 = !{}
