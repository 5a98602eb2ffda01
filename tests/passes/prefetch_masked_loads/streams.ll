; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a loop reads under a mask is prefetched line by line, in code for x86-64-v4.
; RUN: %helicon-opt -stages=prefetch_masked_loads %s | %FileCheck %s
; REQUIRES: helicon-opt

declare <32 x float> @llvm.masked.load.v32f32.p0(ptr, <32 x i1>, <32 x float>)

; CHECK-LABEL: @stream(
; CHECK: loop:
; CHECK: %p = getelementptr float
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
; CHECK-NEXT: %[[NEXT:.*]] = getelementptr i8, ptr %p, i64 64
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %[[NEXT]], i32 0, i32 3, i32 1)
; CHECK-NEXT: call <32 x float> @llvm.masked.load
define void @stream(ptr %from, ptr %to, i64 %n, <32 x i1> %mask) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %from, i64 %i
  %v = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, <32 x i1> %mask, <32 x float> poison)
  store <32 x float> %v, ptr %to
  %next = add i64 %i, 32
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

attributes #0 = { "target-cpu"="x86-64-v4" }
