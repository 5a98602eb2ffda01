; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; All loads stand before the first store.
; RUN: %helicon-opt -gpu=sm_90 -stages=copy_in_vectors %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)

; CHECK-LABEL: define void @f(
; CHECK-NEXT: %[[A:.*]] = load <4 x i32>, ptr addrspace(1) %from, align 16
; CHECK-NEXT: %[[P:.*]] = getelementptr inbounds i8, ptr addrspace(1) %from, i64 16
; CHECK-NEXT: %[[B:.*]] = load <4 x i32>, ptr addrspace(1) %[[P]], align 16
; CHECK-NEXT: store <4 x i32> %[[A]], ptr addrspace(3) %to, align 16
; CHECK-NEXT: %[[Q:.*]] = getelementptr inbounds i8, ptr addrspace(3) %to, i64 16
; CHECK-NEXT: store <4 x i32> %[[B]], ptr addrspace(3) %[[Q]], align 16
; CHECK-NEXT: ret void
define void @f(ptr addrspace(3) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) align 16 %to, ptr addrspace(1) align 16 %from, i64 32, i1 false)
  ret void
}
