; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One atomic for all lanes where they name one place; plain reads and writes, lane after lane, in shared memory; an atomic
; for each lane elsewhere.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @hl.self() memory(none) nounwind willreturn nosync

; CHECK-LABEL: define internal void @total.flat.rows.full(
; CHECK:         %[[SUM:.*]] = call i32 @llvm.vector.reduce.add.v32i32(
; CHECK-NEXT:    atomicrmw add ptr %{{.*}}, i32 %[[SUM]] monotonic
; CHECK-NOT:     atomicrmw
; CHECK-LABEL: define internal void @total.flat.rows(
define ptx_kernel void @total(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %old = atomicrmw add ptr %p, i32 %x monotonic
  ret void
}

; CHECK-LABEL: define internal void @ticket.flat.rows.full(
; CHECK:         %[[OLD:.*]] = atomicrmw add ptr %{{.*}}, i32 %{{.*}} monotonic
; CHECK-NOT:     atomicrmw
; CHECK:         insertelement <32 x i32> poison, i32 %[[OLD]]
; CHECK-LABEL: define internal void @ticket.flat.rows(
define ptx_kernel void @ticket(ptr %p, ptr %q) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %old = atomicrmw add ptr %p, i32 1 monotonic
  %wide = zext i32 %x to i64
  %place = getelementptr i32, ptr %q, i64 %wide
  store i32 %old, ptr %place, align 4
  ret void
}

; CHECK-LABEL: define internal void @shared.flat.rows.full(
; CHECK-SAME:    #[[SHARED:[0-9]+]] {
; CHECK-NOT:     atomicrmw
; CHECK-LABEL: define internal void @shared.flat.rows(
define ptx_kernel void @shared(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %self = call ptr @hl.self()
  %field = getelementptr inbounds i8, ptr %self, i64 56
  %window = load ptr, ptr %field, align 8, !invariant.load !0
  %wide = zext i32 %x to i64
  %from = getelementptr i32, ptr %p, i64 %wide
  %bin = load i32, ptr %from, align 4
  %bin.wide = zext i32 %bin to i64
  %place = getelementptr i32, ptr %window, i64 %bin.wide
  %old = atomicrmw add ptr %place, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define internal void @scattered.flat.rows.full(
; CHECK:       lane:
; CHECK:         atomicrmw add
; CHECK-LABEL: define internal void @scattered.flat.rows(
define ptx_kernel void @scattered(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %x to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  %old = atomicrmw add ptr %place, i32 1 monotonic
  ret void
}
!0 = !{}
; CHECK: attributes #[[SHARED]] = { {{.*}}"hl.shared.atomics"{{.*}} }
