; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Warps that also wait in a loop, or at barriers that are not the same for all, keep contexts of their own.
; RUN: %helicon-opt -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_barrier(i32, i32)
declare void @__hl_yield()

; CHECK-LABEL: define internal void @loop.rows(
; CHECK:         call void @__hl_barrier(i32 0, i32 0)
define internal void @loop.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  call void @__hl_barrier(i32 0, i32 0)
  br label %spin
spin:
  call void @__hl_yield()
  %v = load atomic i32, ptr %launch acquire, align 4
  %seen = icmp ne i32 %v, 0
  br i1 %seen, label %done, label %spin
done:
  ret void
}
define void @loop.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
  call void @loop.rows(ptr %launch, ptr %block, i32 %begin, i32 -1, i32 0, i32 0, i32 0)
  ret void
}
define ptx_kernel void @loop(ptr %p) #0 {
  ret void
}

; CHECK-LABEL: define internal void @named.rows(
; CHECK:         call void @__hl_barrier(i32 1, i32 64)
define internal void @named.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
  call void @__hl_barrier(i32 1, i32 64)
  ret void
}
define void @named.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
  call void @named.rows(ptr %launch, ptr %block, i32 %begin, i32 -1, i32 0, i32 0, i32 0)
  ret void
}
define ptx_kernel void @named(ptr %p) #0 {
  ret void
}

; CHECK-NOT: phase0
; CHECK: "hl.flags"="96"
attributes #0 = { "hl.flags"="96" }
