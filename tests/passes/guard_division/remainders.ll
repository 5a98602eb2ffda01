; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; x % 0 is all ones; INT_MIN % -1 is 0.
; RUN: %helicon-opt -stages=guard_division %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @signed(
; CHECK:         %[[SAFE:.*]] = select i1 %{{.*}}, i32 1, i32 %b
; CHECK:         %[[R:.*]] = srem i32 %a, %[[SAFE]]
; CHECK:         select i1 %{{.*}}, i32 -1, i32 %[[R]]
define i32 @signed(i32 %a, i32 %b) {
  %r = srem i32 %a, %b
  ret i32 %r
}

; CHECK-LABEL: define i8 @unsigned(
; CHECK:         %[[ZERO:.*]] = icmp eq i8 %b, 0
; CHECK:         %[[R:.*]] = urem i8 %a, %{{.*}}
; CHECK:         select i1 %[[ZERO]], i8 -1, i8 %[[R]]
define i8 @unsigned(i8 %a, i8 %b) {
  %r = urem i8 %a, %b
  ret i8 %r
}
