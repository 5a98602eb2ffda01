; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; p[i] as numbers of 4 and of 16 bytes, also where the indices differ by a constant. A kernel that read its input both ways took one for the other.
; RUN: %helicon-opt -gpu=sm_90 -stages=tell_strides_apart %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%int4 = type { i32, i32, i32, i32 }

; CHECK-LABEL: define void @k(
; CHECK:         %a = getelementptr i32, ptr %p, i64 %i
; CHECK-NEXT:    [[B:%.*]] = mul i64 %i, 16
; CHECK-NEXT:    [[P:%.*]] = getelementptr i8, ptr %p, i64 [[B]]
; CHECK-NEXT:    [[W:%.*]] = getelementptr i8, ptr [[P]], i64 12
; CHECK-NEXT:    store i32 1, ptr %a
; CHECK-NEXT:    store i32 2, ptr [[W]]
; CHECK:         [[C:%.*]] = mul i64 %k, 2
; CHECK-NEXT:    getelementptr i8, ptr %p, i64 [[C]]
define void @k(ptr %p, i32 %n) {
  %i = sext i32 %n to i64
  %a = getelementptr i32, ptr %p, i64 %i
  %w = getelementptr %int4, ptr %p, i64 %i, i32 3
  store i32 1, ptr %a
  store i32 2, ptr %w
  %m = add i32 %n, 3
  %k = sext i32 %m to i64
  %s = getelementptr i16, ptr %p, i64 %k
  store i16 3, ptr %s
  ret void
}
