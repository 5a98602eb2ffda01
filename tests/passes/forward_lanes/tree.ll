; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The steps of a tree in memory stay in registers: lanes written at other offsets, under masks, by several stores.
; RUN: %helicon-opt -stages=forward_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, <4 x i1>)

; CHECK-LABEL: define void @tree(
; CHECK:         store <4 x float> %a, ptr %p
; CHECK-NEXT:    getelementptr
; CHECK-NEXT:    %[[HIGH:.*]] = shufflevector <4 x float> %a, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 poison, i32 poison>
; CHECK-NEXT:    %[[LOW:.*]] = shufflevector <4 x float> %a, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
; CHECK-NEXT:    %sum = fadd <4 x float> %[[HIGH]], %[[LOW]]
; CHECK-NEXT:    call void @llvm.masked.store
; CHECK-NEXT:    getelementptr
; CHECK-NEXT:    shufflevector <4 x float> %sum, <4 x float> poison, <4 x i32> <i32 1, i32 poison, i32 poison, i32 poison>
; CHECK-NOT:     masked.load
; CHECK:         ret void
define void @tree(ptr %p, <4 x float> %a) {
  store <4 x float> %a, ptr %p, align 4
  %ahead = getelementptr i8, ptr %p, i64 8
  %high = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %ahead, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> poison)
  %low = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> poison)
  %sum = fadd <4 x float> %high, %low
  call void @llvm.masked.store.v4f32.p0(<4 x float> %sum, ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  %one = getelementptr i8, ptr %p, i64 4
  %b = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %one, <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x float> poison)
  %c = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %p, <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x float> poison)
  %last = fadd <4 x float> %b, %c
  call void @llvm.masked.store.v4f32.p0(<4 x float> %last, ptr align 4 %p, <4 x i1> <i1 true, i1 false, i1 false, i1 false>)
  ret void
}

; Elements of two stores; lanes that are not read have what the load says.
; CHECK-LABEL: define <4 x float> @two(
; CHECK:         %[[BOTH:.*]] = shufflevector <4 x float> %b, <4 x float> %a, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>
; CHECK-NEXT:    %[[ALL:.*]] = select <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> %[[BOTH]], <4 x float> zeroinitializer
; CHECK-NEXT:    ret <4 x float> %[[ALL]]
define <4 x float> @two(ptr %p, <4 x float> %a, <4 x float> %b) {
  store <4 x float> %a, ptr %p, align 4
  call void @llvm.masked.store.v4f32.p0(<4 x float> %b, ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  ret <4 x float> %v
}

; What was read once is known as well.
; CHECK-LABEL: define <4 x float> @again(
; CHECK:         %a = load <4 x float>, ptr %p
; CHECK:         shufflevector <4 x float> %a, <4 x float> poison, <4 x i32> <i32 1, i32 2, i32 poison, i32 poison>
; CHECK-NOT:     masked.load
define <4 x float> @again(ptr %p) {
  %a = load <4 x float>, ptr %p, align 4
  %one = getelementptr i8, ptr %p, i64 4
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %one, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x float> poison)
  %w = fadd <4 x float> %a, %v
  ret <4 x float> %w
}
