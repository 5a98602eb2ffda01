; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel becomes a function of its parameter buffer, with the layout as a fact. What it only reads is used in place.
; RUN: %helicon-opt -stages=make_thread_entries %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%S = type { float, [3 x i32], double }

; CHECK-LABEL: define hidden void @k(ptr {{.*}}align 16 %params)
; CHECK-DAG:     %[[NP:.*]] = getelementptr inbounds i8, ptr %params, i64 0
; CHECK-DAG:     load i32, ptr %[[NP]], align 16, !invariant.load
; CHECK-DAG:     %[[BP:.*]] = getelementptr inbounds i8, ptr %params, i64 4
; CHECK-DAG:     %[[B8:.*]] = load i8, ptr %[[BP]]
; CHECK-DAG:     icmp ne i8 %[[B8]], 0
; CHECK-DAG:     %[[READ:.*]] = getelementptr inbounds i8, ptr %params, i64 8
; CHECK-DAG:     %[[WRITTEN:.*]] = getelementptr inbounds i8, ptr %params, i64 32
; CHECK:         %[[COPY:.*]] = alloca %S, align 8
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 8 %[[COPY]], ptr align 16 %[[WRITTEN]], i64 24, i1 false)
; CHECK:         store float 1.000000e+00, ptr %[[COPY]]
define ptx_kernel void @k(i32 %n, i1 zeroext %b, ptr byval(%S) align 8 %read, ptr byval(%S) align 8 %written, ptr %out) #0 {
  %v = load float, ptr %read, align 8
  store float 1.0, ptr %written, align 8
  %w = select i1 %b, i32 %n, i32 0
  store i32 %w, ptr %out
  ret void
}
attributes #0 = { "nvvm.maxntid"="256,2,1" "nvvm.minctasm"="3" }
; CHECK: attributes #{{[0-9]+}} = {{.*}}"hl.kernel" "hl.param_bytes"="64" "hl.params"="0,4,4,1,8,24,32,24,56,8"{{.*}}"nvvm.maxntid"="512" "nvvm.minctasm"="3"
