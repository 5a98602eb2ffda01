; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Short code stays one block, and is tuned for the processor that was asked for.
; RUN: %helicon-opt -stages=cut_long_blocks %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: define void @k(
; CHECK-NOT:     br
; CHECK:         ret void
define void @k(ptr %p) #0 {
  %v = load <32 x float>, ptr %p
  %w = fmul <32 x float> %v, %v
  store <32 x float> %w, ptr %p
  ret void
}
; CHECK: attributes #0 = { "target-cpu"="x86-64-v4" "tune-cpu"="znver5" }
attributes #0 = { "target-cpu"="x86-64-v4" "tune-cpu"="znver5" }
