; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Warps may part at a guard and at the end of a loop, by numbers that follow from theirs: they run jointly while they go
; the same way. Where they do not, each keeps what it has, and goes on alone from there before any barrier opens.
; RUN: %helicon-opt -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_block_over()

; CHECK-NOT:   __hl_parting
; CHECK-LABEL: define internal { i32, i32 } @sums.rows.phase0.joint4(
; All pass the guard, or none does.
; CHECK-COUNT-4: icmp ult i32 %{{.*}}, %n
; CHECK:         and i1
; CHECK-NEXT:    or i1
; CHECK-NEXT:    and i1
; CHECK-NEXT:    or i1
; CHECK-NEXT:    %[[ALL:.*]] = and i1
; CHECK-NEXT:    %[[ANY:.*]] = or i1
; CHECK-NEXT:    %[[NONE:.*]] = xor i1 %[[ANY]], true
; CHECK-NEXT:    br i1 %[[ALL]], label %inside{{[0-9]*}}, label %[[NOT_ALL:part[0-9]*]]
; CHECK:       loop:
; CHECK-COUNT-4: = phi <32 x float>
; CHECK-COUNT-4: load <32 x float>
; CHECK-COUNT-4: fadd <32 x float>
; CHECK:       [[NOT_ALL]]:
; CHECK-NEXT:    br i1 %[[NONE]], label %done{{[0-9]*}}, label %[[APART:part[0-9]*]]
; CHECK:       [[APART]]:
; CHECK-COUNT-4: store i32 1,
; CHECK:         br label %next.warp
; At the end of the loop each keeps its sum.
; CHECK-COUNT-4: store i32 2,
; CHECK-COUNT-4: store <32 x float>
; CHECK:         br label %next.warp
; CHECK-LABEL: define internal { i32, i32 } @sums.rows.phase0(
; CHECK:         call { i32, i32 } @sums.rows.phase0.joint4(
; CHECK-LABEL: define internal { i32, i32 } @sums.rows.phase1(
; CHECK-NOT:     joint
; CHECK-LABEL: define internal { i32, i32 } @sums.rows.phase2(
; CHECK:         load <32 x float>
; CHECK-LABEL: define internal void @sums.rounds(
define internal void @sums.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %count = getelementptr i8, ptr %p, i64 8
  %n = load i32, ptr %count, align 4, !invariant.load !0
  %first = shl i32 %warp, 5
  %some = icmp ult i32 %first, %n
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
  %again = icmp ult i32 %next, %n
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

attributes #0 = { "hl.flags"="32" }
!0 = !{}
