; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Short code is tuned for the processor that was asked for.
; RUN: %helicon-opt -stages=limit_scheduling %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK: attributes #0 = { "target-cpu"="x86-64-v4" "tune-cpu"="znver5" }
define void @k(ptr %p) #0 {
  store <32 x float> zeroinitializer, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="x86-64-v4" "tune-cpu"="znver5" }
