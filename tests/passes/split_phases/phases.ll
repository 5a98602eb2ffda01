; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A warp function with a barrier in a loop becomes two phases. The sum lives in the warp's frame; what follows from the
; arguments is computed again; the warp says where it goes on. The block function runs the phases in rounds.
; RUN: %helicon-opt -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_barrier(i32, i32)
declare void @__hl_block_over()

define internal void @k.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %offset = shl i32 %warp, 5
  %place = getelementptr float, ptr %p, i32 %offset
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %v = load <32 x float>, ptr %place, align 4
  %more = fadd <32 x float> %sum, %v
  call void @__hl_barrier(i32 0, i32 0)
  store <32 x float> %more, ptr %place, align 4
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 10
  br i1 %again, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define void @k.block(
; CHECK:         %state = alloca i8, i64 6464, align 64
; CHECK-NOT:     phi i32
; CHECK:         %[[ALL:.*]] = and i1
; CHECK-NEXT:    %[[NOT_ALL:.*]] = xor i1 %[[ALL]], true
; CHECK-NEXT:    br i1 %[[NOT_ALL]],
; CHECK:         store <32 x i32> %{{.*}}, ptr
; CHECK:         select i1 %[[ALL]], i32 0, i32 -2
; CHECK:         call void @k.rounds(ptr %launch, ptr %block, i32 %begin, i32 %end, ptr %state,
; CHECK-NEXT:    ret void
define void @k.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @k.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}

; CHECK-LABEL: define internal i32 @k.rows.phase0(ptr %launch, ptr %block, i32 %begin, i32 %end, ptr %state)
; CHECK:         %warp = phi i32 [ %begin, %entry ], [ %{{.*}}, %next.warp ]
; CHECK:         %more = fadd <32 x float>
; CHECK:         store <32 x float> %more, ptr
; CHECK:         ret i32 1
; Where warps may go on with one thing or another, they are compared, and seldom noted one by one.
; CHECK-LABEL: define internal i32 @k.rows.phase1(ptr %launch, ptr %block, i32 %begin, i32 %end, ptr %state)
; CHECK:         %p{{.*}} = load ptr, ptr %launch
; CHECK:         %more = load <32 x float>
; CHECK:         %[[PLACE:.*]] = getelementptr float, ptr %p
; CHECK:         store <32 x float> %more, ptr %[[PLACE]]
; CHECK:         %next.phase = phi i32 [ 1, %{{.*}} ], [ -1, %{{.*}} ]
; CHECK:         br i1 %{{.*}}, label %agree, label %several
; CHECK:         call void @hl.note.next(ptr %state, i32 %begin, i32 %warp, i32 %common)
; CHECK-NEXT:    call void @hl.note.next(ptr %state, i32 %warp, i32 %{{.*}}, i32 %next.phase)

; While all warps stand at the same place, one call runs what comes next.
; CHECK-LABEL: define internal void @k.rounds(
; CHECK:         switch i32 %first, label %round [
; CHECK-NEXT:      i32 0, label %open.0
; CHECK-NEXT:    ]
; CHECK:       step.0:
; CHECK-NEXT:    call i32 @k.rows.phase0(ptr %launch, ptr %block, i32 %begin, i32 %end, ptr %state)
; CHECK-NEXT:    br label %open.1
; CHECK:       step.1:
; CHECK-NEXT:    %[[NEXT:.*]] = call i32 @k.rows.phase1(ptr %launch, ptr %block, i32 %begin, i32 %end, ptr %state)
; CHECK-NEXT:    switch i32 %[[NEXT]], label %again [
; CHECK-DAG:       i32 1, label %open.1
; CHECK-DAG:       i32 -1, label %end
; CHECK:       open.1:
; CHECK-NEXT:    br label %step.1
; CHECK-NOT:     call void @__hl_barrier

; flags: has a block function, which lets its warps meet
; CHECK: "hl.flags"="160"
define ptx_kernel void @k(ptr %p) #0 {
  ret void
}
attributes #0 = { "hl.flags"="96" }
!0 = !{}
