; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An index of 32 bits that may wrap around inside the warp: neighbours where it does not, which is nearly always; else one
; function does the access lane by lane, for all such places of the module, and keeps the kernel's registers.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:       straight:
; CHECK-NEXT:    call <32 x float> @llvm.masked.load
; CHECK:       wraps:
; CHECK-NOT:     <32 x ptr>
; CHECK:         call void @hl.load.lanes.4.unsigned(ptr %seldom.values, i32 -1, ptr %{{.*}}, i64 4, i32 %{{.*}}, i32 1) #[[CALL:[0-9]+]]
; CHECK-NEXT:    load <32 x float>, ptr %seldom.values, align 64
; CHECK-NOT:   lane:
; CHECK:         store <32 x float> %{{.*}}, ptr %seldom.values, align 64
; CHECK-NEXT:    call void @hl.store.lanes.4.unsigned(ptr %seldom.values, i32 -1, ptr %{{.*}}, i64 4, i32 %{{.*}}, i32 1) #[[CALL]]
; CHECK:       define internal void @hl.load.lanes.4.unsigned(ptr %0, i32 %1, ptr %2, i64 %3, i32 %4, i32 %5) #[[LOAD:[0-9]+]]
; CHECK:       lane:
; CHECK:         %[[STEPS:.*]] = mul i32 %lane{{.*}}, %5
; CHECK:         %[[INDEX:.*]] = add i32 %4, %[[STEPS]]
; CHECK:         %[[EXTENDED:.*]] = zext i32 %[[INDEX]] to i64
; CHECK:         %[[DISTANCE:.*]] = mul i64 %[[EXTENDED]], %3
; CHECK:         %[[PLACE:.*]] = getelementptr i8, ptr %2, i64 %[[DISTANCE]]
; CHECK:         %[[VALUE:.*]] = load i32, ptr %[[PLACE]], align 1
; CHECK:         store i32 %[[VALUE]], ptr %
; CHECK-LABEL: define internal void @hl.store.lanes.4.unsigned(
; CHECK-DAG:   attributes #[[CALL]] = { "no_caller_saved_registers" }
; CHECK-DAG:   attributes #[[LOAD]] = { cold noinline nounwind memory(read, argmem: readwrite) "no_caller_saved_registers" }
define ptx_kernel void @k(ptr %in, ptr %out, i32 %first, i32 %second) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %tid, %first
  %from = zext i32 %i to i64
  %source = getelementptr float, ptr %in, i64 %from
  %v = load float, ptr %source, align 4
  %j = add i32 %tid, %second
  %to = zext i32 %j to i64
  %place = getelementptr float, ptr %out, i64 %to
  store float %v, ptr %place, align 4
  ret void
}
