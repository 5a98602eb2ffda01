; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Counting in shared memory, results unread: lane after lane with places from registers; where many lanes name one place,
; one operation for each place; where few lanes are here, a loop over them.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @hl.self() memory(none) nounwind willreturn nosync

; The lanes' bytes are the indices; how many are the first lane's is counted.
; CHECK-LABEL: define internal void @bytes.flat.rows.full(
; CHECK:         %[[KEYS:.*]] = freeze <32 x i8>
; CHECK:         extractelement <32 x i8> %[[KEYS]], i32 0
; CHECK:         icmp eq <32 x i8> %[[KEYS]],
; CHECK:         %[[LIKE:.*]] = call {{.*}}i32 @llvm.ctpop.i32(
; CHECK:         %[[FEW:.*]] = icmp ule i32 %[[LIKE]], 12
; CHECK:         br i1 %[[FEW]], label %{{.*}}, label %{{.*}}, !prof
; One after the other:
; CHECK-COUNT-32: extractelement <32 x i8> %bin, i64
; CHECK-NOT:     extractelement
; One for each place; a loop for those that are left when a place has few:
; CHECK:       place{{[0-9]+}}:
; CHECK:         %[[LEFT:.*]] = phi i32
; CHECK:         call {{.*}}i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK:         icmp eq <32 x i8> %[[KEYS]],
; CHECK:         %[[NAMED:.*]] = and i32 %{{.*}}, %[[LEFT]]
; CHECK:         %[[COUNT:.*]] = call {{.*}}i32 @llvm.ctpop.i32(
; CHECK:         mul i32 %[[COUNT]], 1
; CHECK:         br i1 %{{.*}}, label %place{{[0-9]+}}, label %places.done
; CHECK:       places.done:
; CHECK:       lane{{[0-9]+}}:
; CHECK-LABEL: define internal void @bytes.flat.rows(
; Absent lanes have places of their own, if few are absent.
; CHECK:         freeze <32 x i8>
; CHECK:         select <32 x i1> %{{.*}}, <32 x ptr> %{{.*}}, <32 x ptr>
; CHECK:       lane:
define ptx_kernel void @bytes(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %self = call ptr @hl.self()
  %field = getelementptr inbounds i8, ptr %self, i64 56
  %window = load ptr, ptr %field, align 8, !invariant.load !0
  %wide = zext i32 %x to i64
  %from = getelementptr i8, ptr %p, i64 %wide
  %bin = load i8, ptr %from, align 1
  %bin.wide = zext i8 %bin to i64
  %place = getelementptr i32, ptr %window, i64 %bin.wide
  %old = atomicrmw add ptr %place, i32 1 monotonic
  ret void
}

; Largest values: the operands of the lanes that name a place are brought together.
; CHECK-LABEL: define internal void @highest.flat.rows.full(
; CHECK:       place{{[0-9]+}}:
; CHECK:         call {{.*}}i32 @llvm.vector.reduce.umax.v32i32(
; CHECK-LABEL: define internal void @highest.flat.rows(
define ptx_kernel void @highest(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %self = call ptr @hl.self()
  %field = getelementptr inbounds i8, ptr %self, i64 56
  %window = load ptr, ptr %field, align 8, !invariant.load !0
  %wide = zext i32 %x to i64
  %from = getelementptr i16, ptr %p, i64 %wide
  %bin = load i16, ptr %from, align 2
  %bin.wide = sext i16 %bin to i64
  %place = getelementptr i32, ptr %window, i64 %bin.wide
  %old = atomicrmw umax ptr %place, i32 %x monotonic
  ret void
}

; Sums of floats keep the order of the lanes.
; CHECK-LABEL: define internal void @sums.flat.rows.full(
; CHECK-NOT:   lanes.left
; CHECK-COUNT-32: fadd float
; CHECK-LABEL: define internal void @sums.flat.rows(
define ptx_kernel void @sums(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %self = call ptr @hl.self()
  %field = getelementptr inbounds i8, ptr %self, i64 56
  %window = load ptr, ptr %field, align 8, !invariant.load !0
  %wide = zext i32 %x to i64
  %from = getelementptr i32, ptr %p, i64 %wide
  %bin = load i32, ptr %from, align 4
  %bin.wide = zext i32 %bin to i64
  %place = getelementptr float, ptr %window, i64 %bin.wide
  %old = atomicrmw fadd ptr %place, float 1.5 monotonic
  ret void
}

; Results that are read: lane after lane, from a table.
; CHECK-LABEL: define internal void @read.flat.rows.full(
; CHECK-NOT:   lanes.left
; CHECK:       each:
; CHECK-LABEL: define internal void @read.flat.rows(
define ptx_kernel void @read(ptr %p) {
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
  store i32 %old, ptr %from, align 4
  ret void
}
; In global memory each is atomic.
; CHECK-LABEL: define internal void @global.flat.rows.full(
; CHECK:         br i1 %{{.*}}, label %[[APART:.*]], label %{{.*}}, !prof
; CHECK:       [[APART]]:
; CHECK:       lane:
; CHECK:         atomicrmw add ptr %{{.*}}, i32 1 monotonic
; CHECK:       place{{[0-9]+}}:
; CHECK:         %[[COUNT:.*]] = call {{.*}}i32 @llvm.ctpop.i32(
; CHECK:         %[[SUM:.*]] = mul i32 %[[COUNT]], 1
; CHECK:         atomicrmw add ptr %{{.*}}, i32 %[[SUM]] monotonic
; CHECK-LABEL: define internal void @global.flat.rows(
define ptx_kernel void @global(ptr %p, ptr %q) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %x to i64
  %from = getelementptr i32, ptr %p, i64 %wide
  %bin = load i32, ptr %from, align 4
  %bin.wide = zext i32 %bin to i64
  %place = getelementptr i32, ptr %q, i64 %bin.wide
  %old = atomicrmw add ptr %place, i32 1 monotonic
  ret void
}
!0 = !{}
