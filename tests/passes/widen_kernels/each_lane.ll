; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What lanes do one after the other stands in the code once, also where the mask is known: no loop over lanes is unrolled.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:         atomicrmw add ptr
; CHECK-NOT:     atomicrmw
; CHECK:         br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
define ptx_kernel void @k(ptr %places, ptr %counts) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = sext i32 %tid to i64
  %from = getelementptr i32, ptr %places, i64 %wide
  %place = load i32, ptr %from, align 4
  %at = sext i32 %place to i64
  %to = getelementptr i32, ptr %counts, i64 %at
  %old = atomicrmw add ptr %to, i32 1 monotonic, align 4
  store i32 %old, ptr %from, align 4
  ret void
}

; Lanes that all are there are counted, and LLVM is to write the loop out for eight of them; where it makes vectors of it,
; that is code for all lanes, which the form for unusual blocks is not worth.
; CHECK-LABEL: define internal void @bytes.flat.rows.full(
; CHECK:         store i8 1, ptr
; CHECK:         br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !llvm.loop ![[ALL:[0-9]+]]
; CHECK-LABEL: define internal void @bytes.flat.general(
; CHECK:         br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !llvm.loop ![[SHORT:[0-9]+]]
; CHECK-LABEL: define hidden void @bytes.block(
; CHECK-DAG:   ![[LOOP]] = distinct !{![[LOOP]], ![[HINT:[0-9]+]]}
; CHECK-DAG:   ![[HINT]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG:   ![[ALL]] = distinct !{![[ALL]], ![[EIGHT:[0-9]+]]}
; CHECK-DAG:   ![[EIGHT]] = !{!"llvm.loop.unroll.count", i32 8}
; CHECK-DAG:   ![[SHORT]] = distinct !{![[SHORT]], ![[EIGHT]], ![[SCALAR:[0-9]+]]}
; CHECK-DAG:   ![[SCALAR]] = !{!"llvm.loop.vectorize.enable", i1 false}
define ptx_kernel void @bytes(ptr %places, ptr %marks) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = sext i32 %tid to i64
  %from = getelementptr i32, ptr %places, i64 %wide
  %place = load i32, ptr %from, align 4
  %at = sext i32 %place to i64
  %to = getelementptr i8, ptr %marks, i64 %at
  store i8 1, ptr %to, align 1
  ret void
}
