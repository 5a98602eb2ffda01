; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What was not written, may have been overwritten, or is of another type is read.
; RUN: %helicon-opt -stages=forward_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, <4 x i1>)
declare void @unknown()

; CHECK-LABEL: define <4 x float> @beyond(
; CHECK:         %v = load <4 x float>, ptr %next
; CHECK-NEXT:    ret <4 x float> %v
define <4 x float> @beyond(ptr %p, <4 x float> %a) {
  store <4 x float> %a, ptr %p, align 4
  %next = getelementptr i8, ptr %p, i64 8
  %v = load <4 x float>, ptr %next, align 4
  ret <4 x float> %v
}

; CHECK-LABEL: define <4 x float> @unknown_mask(
; CHECK:         %v = call <4 x float> @llvm.masked.load
; CHECK-NEXT:    ret <4 x float> %v
define <4 x float> @unknown_mask(ptr %p, <4 x float> %a, <4 x i1> %m) {
  call void @llvm.masked.store.v4f32.p0(<4 x float> %a, ptr align 4 %p, <4 x i1> %m)
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> poison)
  ret <4 x float> %v
}

; CHECK-LABEL: define <4 x float> @another_base(
; CHECK:         store float 1.000000e+00, ptr %q
; CHECK-NEXT:    %v = call <4 x float> @llvm.masked.load
define <4 x float> @another_base(ptr %p, ptr %q, <4 x float> %a) {
  store <4 x float> %a, ptr %p, align 4
  store float 1.0, ptr %q, align 4
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> poison)
  ret <4 x float> %v
}

; CHECK-LABEL: define <4 x float> @call(
; CHECK:         call void @unknown()
; CHECK-NEXT:    %v = call <4 x float> @llvm.masked.load
define <4 x float> @call(ptr %p, <4 x float> %a) {
  store <4 x float> %a, ptr %p, align 4
  call void @unknown()
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> poison)
  ret <4 x float> %v
}

; CHECK-LABEL: define <4 x float> @volatile(
; CHECK:         %v = load volatile <4 x float>
define <4 x float> @volatile(ptr %p, <4 x float> %a) {
  store volatile <4 x float> %a, ptr %p, align 4
  %v = load volatile <4 x float>, ptr %p, align 4
  ret <4 x float> %v
}

; Half of an element was overwritten by one of another size.
; CHECK-LABEL: define <4 x float> @overlapping(
; CHECK:         %v = call <4 x float> @llvm.masked.load
define <4 x float> @overlapping(ptr %p, <4 x float> %a, <2 x i16> %b) {
  store <4 x float> %a, ptr %p, align 4
  %half = getelementptr i8, ptr %p, i64 2
  store <2 x i16> %b, ptr %half, align 2
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %p, <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x float> poison)
  ret <4 x float> %v
}
