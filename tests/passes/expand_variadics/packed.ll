; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variadic calls pass a packed buffer.
; RUN: %helicon-opt -stages=expand_variadics %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: %call.vararg = type <{ i32, [4 x i8], double }>
; CHECK-LABEL: define void @call(
; CHECK:         %[[BUFFER:.*]] = alloca %call.vararg, align 8
; CHECK:         %[[FIRST:.*]] = getelementptr inbounds nuw %call.vararg, ptr %[[BUFFER]], i32 0, i32 0
; CHECK-NEXT:    store i32 7, ptr %[[FIRST]]
; CHECK:         store double %d
; CHECK:         call i32 @sum(i32 2, ptr %[[BUFFER]])
define internal i32 @sum(i32 %n, ...) {
  ret i32 %n
}
define void @call(double %d) {
  %r = call i32 (i32, ...) @sum(i32 2, i32 7, double %d)
  ret void
}
