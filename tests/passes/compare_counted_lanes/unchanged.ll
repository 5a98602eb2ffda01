; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where masks are registers of their own, and other masks than those of so many first lanes, nothing changes.
; RUN: %helicon-opt -stages=compare_counted_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-NOT: icmp

define <32 x i1> @other_processor(i32 %count) #1 {
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  ret <32 x i1> %mask
}

define <32 x i1> @any_number(i32 %bits) #0 {
  %mask = bitcast i32 %bits to <32 x i1>
  ret <32 x i1> %mask
}

attributes #0 = { "target-cpu"="x86-64-v3" }
attributes #1 = { "target-cpu"="x86-64-v4" }
