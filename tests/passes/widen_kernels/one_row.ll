; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that asks for threadIdx.x alone: what is written for rows of whole warps takes blocks of one row for granted,
; where threadIdx.x of a warp's first lane is 32 times the warp's number. Blocks of several rows run the general body,
; which is seldom: it is made in little code. So is, of a kernel that has forms for short rows, that for one row which is
; no whole number of warps.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; CHECK-LABEL: define internal void @row.flat.rows.full(
; CHECK-NOT:     udiv
; CHECK:         %tid.x = shl nuw nsw i32 %{{.*}}, 5
; CHECK:         ret void
; CHECK:       define internal void @row.flat.rows({{.*}} #[[USUAL:[0-9]+]] {
; CHECK:       define internal void @row.flat.general({{.*}} #[[SELDOM:[0-9]+]] {
; CHECK:         udiv
; CHECK:         ret void
; CHECK-LABEL: define hidden void @row.block(
; CHECK:         %[[PLANE:.*]] = mul i32
; CHECK:         %[[ONE:.*]] = icmp eq i32 %[[PLANE]], 1
; CHECK-NOT:     or i1
; CHECK:         %[[ROWS:.*]] = and i1 %[[ONE]], %{{.*}}
; CHECK:         br i1 %[[ROWS]], label %rows, label %general
define ptx_kernel void @row(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %x to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 %x, ptr %place, align 4
  ret void
}

; CHECK-LABEL: define internal void @rows.flat.rows.full(
; CHECK:         udiv
; CHECK:         ret void
; CHECK:       define internal void @rows.flat.rows({{.*}} #[[SELDOM]] {
; CHECK:       define internal void @rows.flat.general({{.*}} #[[SELDOM]] {
; CHECK:       define internal void @rows.flat.rows.16({{.*}} #[[SHORT:[0-9]+]] {
; CHECK-LABEL: define hidden void @rows.block(
; CHECK:         %[[WHOLE:.*]] = or i1
; CHECK:         and i1 %[[WHOLE]],
define ptx_kernel void @rows(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wide = zext i32 %x to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 %y, ptr %place, align 4
  ret void
}

; CHECK:      attributes #[[USUAL]] = { nounwind "hl.one.row" }
; CHECK:      attributes #[[SELDOM]] = { noinline nounwind optsize }
; CHECK:      attributes #[[SHORT]] = { nounwind }
