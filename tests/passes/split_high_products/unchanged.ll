; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lower bits, wider results, scalars and sums stay as they are.
; RUN: %helicon-opt -stages=split_high_products %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK: define
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @f(<8 x i64> %a, <8 x i64> %b, i64 %c, ptr %p) {
  %m = mul <8 x i64> %a, %b
  %low = lshr <8 x i64> %m, splat (i64 16)
  %t = trunc <8 x i64> %low to <8 x i16>
  store <8 x i16> %t, ptr %p
  %high = lshr <8 x i64> %m, splat (i64 32)
  %u = trunc <8 x i64> %high to <8 x i32>
  store <8 x i32> %u, ptr %p
  %s = add <8 x i64> %a, %b
  %t32 = lshr <8 x i64> %s, splat (i64 32)
  %v = trunc <8 x i64> %t32 to <8 x i16>
  store <8 x i16> %v, ptr %p
  %n = mul i64 %c, %c
  %q = lshr i64 %n, 32
  %w = trunc i64 %q to i16
  store i16 %w, ptr %p
  ret void
}
