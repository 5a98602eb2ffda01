; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The upper half of a product, narrowed to 16 bits, comes from a shuffle; what is left of the shift keeps its kind.
; RUN: %helicon-opt -stages=split_high_products %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: @high(
; CHECK: %[[M:.*]] = mul
; CHECK: %[[H:.*]] = bitcast <4 x i64> %[[M]] to <8 x i32>
; CHECK: %[[U:.*]] = shufflevector <8 x i32> %[[H]], <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: %[[Z:.*]] = zext <4 x i32> %{{.*}} to <4 x i64>
; CHECK: trunc <4 x i64> %[[Z]] to <4 x i16>
define <4 x i16> @high(<4 x i64> %a, <4 x i64> %b) {
  %m = mul nsw <4 x i64> %a, %b
  %h = lshr <4 x i64> %m, splat (i64 32)
  %t = trunc <4 x i64> %h to <4 x i16>
  ret <4 x i16> %t
}

; CHECK-LABEL: @signed(
; CHECK: %[[H:.*]] = ashr <4 x i32> %{{.*}}, splat (i32 5)
; CHECK: sext <4 x i32> %[[H]] to <4 x i64>
define <4 x i16> @signed(<4 x i64> %a, <4 x i64> %b) {
  %m = mul nsw <4 x i64> %a, %b
  %h = ashr <4 x i64> %m, splat (i64 37)
  %t = trunc <4 x i64> %h to <4 x i16>
  ret <4 x i16> %t
}

; Narrowed is a sum, of which the back end needs the low bits only.
; CHECK-LABEL: @sum(
; CHECK: shufflevector <8 x i32>
; CHECK: add <4 x i64>
define <4 x i16> @sum(<4 x i64> %a, <4 x i64> %b) {
  %m = mul nsw <4 x i64> %a, %b
  %h = lshr <4 x i64> %m, splat (i64 32)
  %s = add <4 x i64> %h, %a
  %t = trunc <4 x i64> %s to <4 x i16>
  ret <4 x i16> %t
}

; CHECK-LABEL: @sum_of_words(
; CHECK: shufflevector <8 x i32>
; CHECK: add <4 x i32>
define <4 x i16> @sum_of_words(<4 x i64> %a, <4 x i64> %b, <4 x i32> %c) {
  %m = mul nsw <4 x i64> %a, %b
  %h = lshr <4 x i64> %m, splat (i64 32)
  %w = trunc <4 x i64> %h to <4 x i32>
  %s = add <4 x i32> %w, %c
  %t = trunc <4 x i32> %s to <4 x i16>
  ret <4 x i16> %t
}
