; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a kernel writes to its parameter is a value, and nothing is written. Where an index is only known at run time the
; variable stays.
; RUN: %helicon-opt -gpu=sm_90 -stages=copy_written_parameters %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%s = type { i32, i32, [2 x i32] }

; CHECK-LABEL: define ptx_kernel void @members(ptr readonly byval(%s) align 4 %p, i32 %x, ptr %out)
; CHECK-NOT:     alloca
; CHECK-NOT:     store {{.*}}, ptr %p
; CHECK:         load i32, ptr %p
; CHECK:         %sum = add i32 %{{.*}}, %x
; CHECK:         store i32 %sum, ptr %out
define ptx_kernel void @members(ptr byval(%s) align 4 %p, i32 %x, ptr %out) {
  %second = getelementptr i8, ptr %p, i64 4
  store i32 %x, ptr %second
  %a = load i32, ptr %p
  %b = load i32, ptr %second
  %sum = add i32 %a, %b
  store i32 %sum, ptr %out
  ret void
}
; CHECK-LABEL: define ptx_kernel void @indexed(ptr readonly byval(%s) align 4 %p, i32 %i, ptr %out)
; CHECK:         %[[OWN:.*]] = alloca
; CHECK-NOT:     store {{.*}}, ptr %p
define ptx_kernel void @indexed(ptr byval(%s) align 4 %p, i32 %i, ptr %out) {
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 7, ptr %at
  %last = getelementptr i8, ptr %p, i64 12
  %v = load i32, ptr %last
  store i32 %v, ptr %out
  ret void
}

; A function's own struct behind a branch: "Copy one register into another with a different width" was all that LLVM said of it.
; CHECK-LABEL: define i32 @behind_branch(
; CHECK:         %[[V:.*]] = load i32, ptr %p
; CHECK:       there:
; CHECK-NEXT:    ret i32 %[[V]]
define i32 @behind_branch(ptr readonly byval({i32, i32}) align 4 %p, i1 %c) {
  br i1 %c, label %there, label %end
there:
  %v = load i32, ptr %p, align 4
  ret i32 %v
end:
  ret i32 0
}
