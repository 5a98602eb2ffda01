; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where masks are registers of their own, and masks of few lanes or of constants, nothing changes.
; RUN: %helicon-opt -stages=compare_counted_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-NOT: icmp

define <32 x i1> @other_processor(i32 %count) #1 {
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  ret <32 x i1> %mask
}

define <32 x i1> @any_number_there(i32 %bits) #1 {
  %mask = bitcast i32 %bits to <32 x i1>
  ret <32 x i1> %mask
}

define <4 x i1> @few(i4 %bits) #0 {
  %mask = bitcast i4 %bits to <4 x i1>
  ret <4 x i1> %mask
}

define <2 x i32> @no_mask(i64 %bits) #0 {
  %pair = bitcast i64 %bits to <2 x i32>
  ret <2 x i32> %pair
}

attributes #0 = { "target-cpu"="x86-64-v3" }
attributes #1 = { "target-cpu"="x86-64-v4" }
