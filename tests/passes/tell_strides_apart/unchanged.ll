; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing to do: one size for an index, several indices, several memories.
; RUN: %helicon-opt -gpu=sm_90 -stages=tell_strides_apart %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @k(
; CHECK-NEXT:    %a = getelementptr i32, ptr %p, i64 %i
; CHECK-NEXT:    %b = getelementptr float, ptr %p, i64 %i
; CHECK-NEXT:    %c = getelementptr i64, ptr %p, i64 %j
; CHECK-NEXT:    %d = getelementptr i64, ptr %q, i64 %i
define void @k(ptr %p, ptr %q, i64 %i, i64 %j) {
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr float, ptr %p, i64 %i
  %c = getelementptr i64, ptr %p, i64 %j
  %d = getelementptr i64, ptr %q, i64 %i
  store i32 1, ptr %a
  store float 1.0, ptr %b
  store i64 1, ptr %c
  store i64 1, ptr %d
  ret void
}
