; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What all warps read alike behind a barrier, and before they write anything, is read before the first of them goes on:
; a program may lack the barrier that keeps the others from writing it again. What is read behind a write stays there.
; RUN: %helicon-opt -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_barrier(i32, i32)
declare void @__hl_block_over()
declare ptr @hl.self()

; CHECK-LABEL: define internal i32 @k.rows.phase1(
; CHECK:       entry:
; CHECK:         %[[SHARED:.*]] = load ptr, ptr
; CHECK:         %[[SUM:.*]] = load float, ptr %[[SHARED]]
; CHECK:         %[[MORE:.*]] = fadd float %[[SUM]],
; CHECK:       each.warp:
; CHECK-NOT:     load float
; CHECK:         store float %[[MORE]], ptr %[[SHARED]]
; CHECK:         load float, ptr
define internal void @k.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) #2 {
entry:
  %self = call ptr @hl.self()
  %window = getelementptr inbounds nuw i8, ptr %self, i64 56
  %shared = load ptr, ptr %window, align 8, !invariant.load !0
  %mine = getelementptr float, ptr %shared, i32 %warp
  store float 1.0, ptr %mine, align 4
  call void @__hl_barrier(i32 0, i32 0)
  %sum = load float, ptr %shared, align 4
  %more = fadd float %sum, 1.0
  store float %more, ptr %shared, align 4
  %second = getelementptr i8, ptr %shared, i64 4
  %other = load float, ptr %second, align 4
  %last = fadd float %other, %more
  store float %last, ptr %mine, align 4
  ret void
}
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
define ptx_kernel void @k(ptr %p) #0 {
  ret void
}

; The second barrier of a sum over the block orders nothing but what comes behind it: all read the sum, and write again.
; CHECK-LABEL: define internal i32 @again.rows.phase2(
; CHECK:       entry:
; CHECK:         load float, ptr
; CHECK:       each.warp:
; CHECK-NOT:     load float
; CHECK:         store float
define internal void @again.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) #2 {
entry:
  %self = call ptr @hl.self()
  %window = getelementptr inbounds nuw i8, ptr %self, i64 56
  %shared = load ptr, ptr %window, align 8, !invariant.load !0
  %mine = getelementptr float, ptr %shared, i32 %warp
  store float 1.0, ptr %mine, align 4
  call void @__hl_barrier(i32 0, i32 0)
  %one = icmp eq i32 %warp, 0
  br i1 %one, label %add, label %added
add:
  %next = getelementptr i8, ptr %shared, i64 4
  %a = load float, ptr %shared, align 4
  %b = load float, ptr %next, align 4
  %c = fadd float %a, %b
  store float %c, ptr %shared, align 4
  br label %added
added:
  call void @__hl_barrier(i32 0, i32 0)
  %sum = load float, ptr %shared, align 4
  %more = fadd float %sum, 1.0
  store float %more, ptr %mine, align 4
  call void @__hl_barrier(i32 0, i32 0)
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %result = load float, ptr %mine, align 4
  store float %result, ptr %p, align 4
  ret void
}
define void @again.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @again.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @again(ptr %p) #0 {
  ret void
}

; An atomic on shared memory is a read and a write, and each warp reads what the one before has written.
; CHECK-LABEL: define internal i32 @counts.rows.phase1(
; CHECK:       each.warp:
; CHECK:         load i32, ptr %shared
; CHECK:         store i32
define internal void @counts.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) #3 {
entry:
  %self = call ptr @hl.self()
  %window = getelementptr inbounds nuw i8, ptr %self, i64 56
  %shared = load ptr, ptr %window, align 8, !invariant.load !0
  %mine = getelementptr i32, ptr %shared, i32 %warp
  store i32 1, ptr %mine, align 4
  call void @__hl_barrier(i32 0, i32 0)
  %number = load i32, ptr %shared, align 4
  %more = add i32 %number, 1
  store i32 %more, ptr %shared, align 4
  ret void
}
define void @counts.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @counts.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @counts(ptr %p) #0 {
  ret void
}

attributes #0 = { "hl.flags"="96" }
attributes #2 = { "hl.one.row" }
attributes #3 = { "hl.one.row" "hl.shared.atomics" }
!0 = !{}
