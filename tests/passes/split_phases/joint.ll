; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Warps whose ways are the same run jointly: what is read at the same place is read once, each warp has a sum of its own.
; Where the way depends on what each warp has read, they run one after the other.
; RUN: %helicon-opt -cpu=x86-64-v4 -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_block_over()

; CHECK-LABEL: define internal i32 @sums.rows.phase0.joint4(
; CHECK:       loop:
; CHECK-COUNT-4: = phi <32 x float>
; CHECK:         load <32 x float>, ptr %at
; CHECK-NOT:     load <32 x float>, ptr %at
; CHECK-COUNT-4: fmul <32 x float>
; CHECK-COUNT-4: fadd <32 x float>
; CHECK:       done
; CHECK-COUNT-4: store <32 x float>
; CHECK-LABEL: define internal i32 @sums.rows.phase0(
; CHECK:       jointly:
; CHECK-NEXT:    call i32 @sums.rows.phase0.joint4(
define internal void @sums.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %row = shl i32 %warp, 5
  %out = getelementptr float, ptr %p, i32 %row
  %mine = load <32 x float>, ptr %out, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  %v = load <32 x float>, ptr %at, align 4
  %product = fmul <32 x float> %v, %mine
  %more = fadd <32 x float> %sum, %product
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 100
  br i1 %again, label %loop, label %done
done:
  store <32 x float> %more, ptr %out, align 4
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

; CHECK-NOT: @own.rows.phase0
define internal void @own.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %mine = getelementptr i32, ptr %p, i32 %warp
  %turns = load i32, ptr %mine, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  %v = load <32 x float>, ptr %at, align 4
  %more = fadd <32 x float> %sum, %v
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %turns
  br i1 %again, label %loop, label %done
done:
  store <32 x float> %more, ptr %p, align 4
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
; Each warp has to see what the one before has made of shared memory.
; CHECK-NOT: @counted.rows.phase0
define internal void @counted.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) #1 {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %row = shl i32 %warp, 5
  %out = getelementptr float, ptr %p, i32 %row
  %mine = load <32 x float>, ptr %out, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = getelementptr float, ptr %p, i32 %i
  %v = load <32 x float>, ptr %at, align 4
  %product = fmul <32 x float> %v, %mine
  %more = fadd <32 x float> %sum, %product
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 100
  br i1 %again, label %loop, label %done
done:
  store <32 x float> %more, ptr %out, align 4
  ret void
}
define void @counted.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @counted.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @counted(ptr %p) #0 {
  ret void
}
; What holds the lanes' addresses for a while is each warp's own.
; CHECK-LABEL: define internal i32 @lane_by_lane.rows.phase0.joint2(
; CHECK-COUNT-2: alloca [32 x ptr]
; CHECK:         store <32 x ptr> %{{.*}}, ptr %[[FIRST:[^,]*]]
; CHECK-NOT:     store <32 x ptr> %{{.*}}, ptr %[[FIRST]]
; CHECK:         getelementptr ptr, ptr %[[FIRST]], i64
define internal void @lane_by_lane.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %table = alloca [32 x ptr], align 64, !hl.scratch !0
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %row = shl i32 %warp, 5
  %out = getelementptr float, ptr %p, i32 %row
  %indices = load <32 x i32>, ptr %out, align 4
  %places = getelementptr float, ptr %p, <32 x i32> %indices
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop.end ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %loop.end ]
  store <32 x ptr> %places, ptr %table, align 64
  br label %each
each:
  %lane = phi i32 [ 0, %loop ], [ %following, %each ]
  %v = phi <32 x float> [ zeroinitializer, %loop ], [ %w, %each ]
  %slot = getelementptr ptr, ptr %table, i32 %lane
  %place = load ptr, ptr %slot, align 8
  %one = load float, ptr %place, align 4
  %w = insertelement <32 x float> %v, float %one, i32 %lane
  %following = add i32 %lane, 1
  %left = icmp ult i32 %following, 32
  br i1 %left, label %each, label %loop.end
loop.end:
  %more = fadd <32 x float> %sum, %w
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 100
  br i1 %again, label %loop, label %done
done:
  store <32 x float> %more, ptr %out, align 4
  ret void
}
define void @lane_by_lane.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @lane_by_lane.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @lane_by_lane(ptr %p) #0 {
  ret void
}
; Accesses on a way that is hardly ever taken are done for one warp after the other, too.
; CHECK-LABEL: define internal i32 @seldom.rows.phase0.joint4(
; CHECK-COUNT-4: call void @hl.load.lanes.4(
declare void @hl.load.lanes.4(ptr, ptr, i32) #2
define internal void @seldom.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %table = alloca [32 x ptr], align 64, !hl.scratch !0
  %values = alloca [32 x i128], align 64, !hl.scratch !0
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %row = shl i32 %warp, 5
  %out = getelementptr float, ptr %p, i32 %row
  %indices = load <32 x i32>, ptr %out, align 4
  %places = getelementptr float, ptr %p, <32 x i32> %indices
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %both ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %both ]
  %holds = icmp ult i32 %i, -31
  br i1 %holds, label %straight, label %wraps
straight:
  %at = getelementptr float, ptr %p, i32 %i
  %near = load <32 x float>, ptr %at, align 4
  br label %both
wraps:
  store <32 x ptr> %places, ptr %table, align 64
  call void @hl.load.lanes.4(ptr %table, ptr %values, i32 -1) #2
  %far = load <32 x float>, ptr %values, align 64
  br label %both
both:
  %v = phi <32 x float> [ %near, %straight ], [ %far, %wraps ]
  %more = fadd <32 x float> %sum, %v
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 100
  br i1 %again, label %loop, label %done
done:
  store <32 x float> %more, ptr %out, align 4
  ret void
}
define void @seldom.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @seldom.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @seldom(ptr %p) #0 {
  ret void
}
attributes #0 = { "hl.flags"="32" }
attributes #1 = { "hl.shared.atomics" }
attributes #2 = { nounwind memory(read, argmem: readwrite) }
!0 = !{}
