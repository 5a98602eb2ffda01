; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A barrier goes where only the first warp has touched memory since the one before: warps run a phase in the order of
; their numbers. It stays where any other has, and in functions that also run blocks of several rows.
; RUN: %helicon-opt -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_barrier(i32, i32)
declare void @__hl_block_over()

; Where a body does not run in phases (it also waits in another way), its warps may come in any order: all barriers stay.
; CHECK-LABEL: define internal void @waits.rows(
; CHECK-COUNT-2: call void @__hl_barrier(i32 0, i32 0)
declare void @__hl_yield()
define internal void @waits.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) #2 {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %one = icmp eq i32 %warp, 0
  call void @__hl_barrier(i32 0, i32 0)
  br i1 %one, label %publish, label %published
publish:
  store float 2.0, ptr %p, align 4
  br label %published
published:
  call void @__hl_barrier(i32 0, i32 0)
  call void @__hl_yield()
  %now = load float, ptr %p, align 4
  %out = getelementptr float, ptr %p, i32 4096
  store float %now, ptr %out, align 4
  ret void
}
define void @waits.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @waits.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @waits(ptr %p) #0 {
  ret void
}

; Two phases: the stores of all warps; then the tree of the first one, whose result the others, which come after it, see.
; CHECK-NOT:   __hl_needless_barrier
; CHECK-LABEL: define internal i32 @tree.rows.phase0(
; CHECK-LABEL: define internal i32 @tree.rows.phase1(
; CHECK-COUNT-2: fadd <32 x float>
; CHECK:         load float, ptr %p
; CHECK-NOT:   @tree.rows.phase2(
define internal void @tree.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) #2 {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %first = shl nuw nsw i32 %warp, 5
  %mine = getelementptr float, ptr %p, i32 %first
  %ahead = getelementptr i8, ptr %mine, i64 128
  store <32 x float> splat (float 1.0), ptr %mine, align 4
  call void @__hl_barrier(i32 0, i32 0)
  %few = icmp ult i32 %first, 32
  br i1 %few, label %add, label %added
add:
  %a = load <32 x float>, ptr %ahead, align 4
  %b = load <32 x float>, ptr %mine, align 4
  %sum = fadd <32 x float> %a, %b
  store <32 x float> %sum, ptr %mine, align 4
  br label %added
added:
  call void @__hl_barrier(i32 0, i32 0)
  %lanes.first = insertelement <32 x i32> poison, i32 %first, i64 0
  %splat = shufflevector <32 x i32> %lanes.first, <32 x i32> poison, <32 x i32> zeroinitializer
  %less = icmp ult <32 x i32> %splat, splat (i32 16)
  %bits = bitcast <32 x i1> %less to i32
  %none = icmp eq i32 %bits, 0
  br i1 %none, label %done, label %again
again:
  %c = load <32 x float>, ptr %mine, align 4
  %twice = fadd <32 x float> %c, splat (float 3.0)
  store <32 x float> %twice, ptr %mine, align 4
  br label %done
done:
  call void @__hl_barrier(i32 0, i32 0)
  %result = load float, ptr %p, align 4
  %out = getelementptr float, ptr %mine, i32 4096
  store float %result, ptr %out, align 4
  ret void
}
define void @tree.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @tree.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @tree(ptr %p) #0 {
  ret void
}

; Two warps write, or all of them read: both barriers stay.
; CHECK-LABEL: define internal i32 @others.rows.phase2(
define internal void @others.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) #2 {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %first = shl nuw nsw i32 %warp, 5
  %mine = getelementptr float, ptr %p, i32 %first
  %few = icmp ult i32 %first, 64
  br i1 %few, label %write, label %written
write:
  store <32 x float> splat (float 1.0), ptr %mine, align 4
  br label %written
written:
  call void @__hl_barrier(i32 0, i32 0)
  %one = icmp ult i32 %first, 32
  %seen = load float, ptr %p, align 4
  br i1 %one, label %publish, label %published
publish:
  store float 2.0, ptr %p, align 4
  br label %published
published:
  call void @__hl_barrier(i32 0, i32 0)
  %now = load float, ptr %p, align 4
  %both = fadd float %seen, %now
  %out = getelementptr float, ptr %mine, i32 4096
  store float %both, ptr %out, align 4
  ret void
}
define void @others.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @others.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @others(ptr %p) #0 {
  ret void
}

; Warps of several rows could all be the first of theirs.
; CHECK-LABEL: define internal i32 @several.rows.phase2(
define internal void @several.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %one = icmp eq i32 %warp, 0
  call void @__hl_barrier(i32 0, i32 0)
  br i1 %one, label %publish, label %published
publish:
  store float 2.0, ptr %p, align 4
  br label %published
published:
  call void @__hl_barrier(i32 0, i32 0)
  %now = load float, ptr %p, align 4
  %out = getelementptr float, ptr %p, i32 4096
  store float %now, ptr %out, align 4
  ret void
}
define void @several.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @several.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @several(ptr %p) #0 {
  ret void
}

attributes #0 = { "hl.flags"="96" }
attributes #2 = { "hl.one.row" }
!0 = !{}
