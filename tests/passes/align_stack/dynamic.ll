; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Dynamic stack memory is aligned to 16 bytes or more; other stack memory stays.
; RUN: %helicon-opt -gpu=sm_90 -stages=align_stack %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @use(ptr)

; CHECK-LABEL: define void @aligned(
; CHECK: %[[N:.*]] = add i64 {{.*}}, 8
; CHECK: %[[RAW:.*]] = alloca i8, i64 %[[N]], align 8
; CHECK: %[[AT:.*]] = ptrtoint ptr %[[RAW]] to i64
; CHECK: %[[MINUS:.*]] = sub i64 0, %[[AT]]
; CHECK: %[[GAP:.*]] = and i64 %[[MINUS]], 15
; CHECK: %p = getelementptr i8, ptr %[[RAW]], i64 %[[GAP]]
define void @aligned(i64 %n) {
  %p = alloca i8, i64 %n, align 8
  call void @use(ptr %p)
  ret void
}
; CHECK-LABEL: define void @others(
; CHECK-NEXT: %a = alloca [4 x i64], align 32
; CHECK: %[[N:.*]] = add i64 {{.*}}, 24
; CHECK: alloca i8, i64 %[[N]], align 8
; CHECK: and i64 %{{.*}}, 31
define void @others(i64 %n) {
  %a = alloca [4 x i64], align 32
  %b = alloca i8, i64 %n, align 32
  call void @use(ptr %a)
  call void @use(ptr %b)
  ret void
}
