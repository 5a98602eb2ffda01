; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; x86-64-v2 has no permute whose lanes are known only at run time.
; RUN: %helicon-opt -stages=permute_in_registers %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK: define internal <32 x i32> @hl.permute.lanes(
; CHECK-NEXT: ret <32 x i32> %values
define internal <32 x i32> @hl.permute.lanes(<32 x i32> %values, <32 x i32> %from) #0 {
  ret <32 x i32> %values
}

define <32 x i32> @user(<32 x i32> %values, <32 x i32> %from) #0 {
  %r = call <32 x i32> @hl.permute.lanes(<32 x i32> %values, <32 x i32> %from)
  ret <32 x i32> %r
}

attributes #0 = { "target-cpu"="x86-64-v2" }
