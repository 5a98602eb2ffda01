; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that holds vectors of 32 bytes and more keeps a frame pointer, so that what it spills can be aligned.
; RUN: %helicon-opt -stages=align_spills %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: define void @warp(
; CHECK-SAME:  #[[A:[0-9]+]]
define void @warp(ptr %p) #0 {
  %v = load <32 x float>, ptr %p
  %w = fmul <32 x float> %v, %v
  store <32 x float> %w, ptr %p
  ret void
}
; CHECK-LABEL: define void @half(
; CHECK-SAME:  #[[A]]
define void @half(ptr %p) #0 {
  %v = load <4 x i64>, ptr %p
  store <4 x i64> %v, ptr %p
  ret void
}
; CHECK: attributes #[[A]] = { "frame-pointer"="all" "target-cpu"="x86-64-v3" }
attributes #0 = { "target-cpu"="x86-64-v3" }
