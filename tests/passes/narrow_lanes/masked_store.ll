; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Of what is stored under a mask that is known, only those lanes are computed.
; RUN: %helicon-opt -stages=narrow_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, <16 x i1>)

; CHECK-LABEL: define void @known(
; CHECK:         fadd <4 x float>
; CHECK:         call void @llvm.masked.store.v16f32
define void @known(ptr %p, <16 x float> %a, <16 x float> %b) {
  %sum = fadd <16 x float> %a, %b
  call void @llvm.masked.store.v16f32.p0(<16 x float> %sum, ptr align 4 %p, <16 x i1> <i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

; CHECK-LABEL: define void @not_known(
; CHECK:         fadd <16 x float>
define void @not_known(ptr %p, <16 x float> %a, <16 x float> %b, <16 x i1> %mask) {
  %sum = fadd <16 x float> %a, %b
  call void @llvm.masked.store.v16f32.p0(<16 x float> %sum, ptr align 4 %p, <16 x i1> %mask)
  ret void
}
