; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop around barriers that reads memory tile by tile. Each warp prefetches what it will read in the next turn. What is
; kept across a barrier and is the same for all warps is loaded once for those that run jointly; what a phase passes on
; unchanged stays where it is.
; RUN: %helicon-opt -cpu=x86-64-v4 -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_barrier(i32, i32)
declare void @__hl_block_over()

; The entry and the phase behind the second barrier read a tile, 4096 bytes from the one before.
; CHECK-LABEL: define internal i32 @sums.rows.phase0(
; CHECK:         %[[NEXT:.*]] = getelementptr i8, ptr %{{.*}}, i64 4096
; CHECK:         call void @llvm.prefetch.p0(ptr %[[NEXT]]
; CHECK:         call void @llvm.prefetch.p0(

; Two warps or more: one pointer %table for all of them, a pointer %mine and a sum for each.
; CHECK-LABEL: define internal i32 @sums.rows.phase1.joint4(
; CHECK-COUNT-4: %mine{{.*}} = load ptr, ptr
; CHECK:         %table{{.*}} = load ptr, ptr
; CHECK-NOT:     %table{{.*}} = load ptr, ptr
; CHECK-COUNT-4: %sum{{.*}} = load <32 x float>, ptr
; CHECK:       work:
; CHECK:         load float, ptr
; CHECK-NOT:     load float, ptr
; CHECK-COUNT-4: fmul <32 x float>
; CHECK:         store <32 x float>
; CHECK-LABEL: define internal i32 @sums.rows.phase1(

; The sum goes through the phase that reads: it is not stored again.
; CHECK-LABEL: define internal i32 @sums.rows.phase2(
; CHECK:         call void @llvm.prefetch.p0(
; CHECK:         %[[READ:.*]] = load <32 x float>, ptr %at
; CHECK:         store <32 x float> %[[READ]]
; CHECK-NOT:     store <32 x float>
; CHECK:       done
define internal void @sums.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %row = shl i32 %warp, 5
  %own = getelementptr float, ptr %p, i32 %row
  %mine = load ptr, ptr %own, align 8
  %table = load ptr, ptr %p, align 8
  br label %head
head:
  %t = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi <32 x float> [ zeroinitializer, %entry ], [ %more, %latch ]
  %index = shl i32 %t, 10
  %wide = sext i32 %index to i64
  %at = getelementptr float, ptr %own, i64 %wide
  %tile = load <32 x float>, ptr %at, align 4
  store <32 x float> %tile, ptr %mine, align 4
  call void @__hl_barrier(i32 0, i32 0)
  br label %work
work:
  %k = phi i32 [ 0, %head ], [ %after, %work ]
  %part = phi <32 x float> [ %sum, %head ], [ %more, %work ]
  %from = getelementptr float, ptr %table, i32 %k
  %one = load float, ptr %from, align 4
  %first = insertelement <32 x float> poison, float %one, i64 0
  %all = shufflevector <32 x float> %first, <32 x float> poison, <32 x i32> zeroinitializer
  %row.at = getelementptr [32 x float], ptr %mine, i32 %k
  %values = load <32 x float>, ptr %row.at, align 4
  %product = fmul <32 x float> %all, %values
  %more = fadd <32 x float> %part, %product
  %after = add i32 %k, 1
  %again = icmp ult i32 %after, 100
  br i1 %again, label %work, label %latch
latch:
  call void @__hl_barrier(i32 0, i32 0)
  %next = add i32 %t, 1
  %on = icmp ult i32 %next, 50
  br i1 %on, label %head, label %done
done:
  store <32 x float> %more, ptr %own, align 4
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

; Warps that took another way hold another value, though no operand of the phi tells: each loads its own.
; CHECK-LABEL: define internal i32 @chosen.rows.phase1.joint{{.*}}(
; CHECK-COUNT-2: %factor{{.*}} = load float, ptr
define internal void @chosen.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %odd = trunc i32 %warp to i1
  %a = load float, ptr %p, align 4
  br i1 %odd, label %other, label %meet
other:
  %at.b = getelementptr float, ptr %p, i32 1
  %b = load float, ptr %at.b, align 4
  br label %meet
meet:
  %factor = phi float [ %a, %entry ], [ %b, %other ]
  call void @__hl_barrier(i32 0, i32 0)
  br label %work
work:
  %k = phi i32 [ 0, %meet ], [ %after, %work ]
  %part = phi <32 x float> [ zeroinitializer, %meet ], [ %more, %work ]
  %from = getelementptr [32 x float], ptr %p, i32 %k
  %values = load <32 x float>, ptr %from, align 4
  %first = insertelement <32 x float> poison, float %factor, i64 0
  %all = shufflevector <32 x float> %first, <32 x float> poison, <32 x i32> zeroinitializer
  %product = fmul <32 x float> %all, %values
  %more = fadd <32 x float> %part, %product
  %after = add i32 %k, 1
  %again = icmp ult i32 %after, 100
  br i1 %again, label %work, label %done
done:
  %row = shl i32 %warp, 5
  %own = getelementptr float, ptr %p, i32 %row
  store <32 x float> %more, ptr %own, align 4
  ret void
}
define void @chosen.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @chosen.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @chosen(ptr %p) #0 {
  ret void
}
attributes #0 = { "hl.flags"="96" }
!0 = !{}
