; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a loop will read under a mask in its next turn is prefetched line by line, in code for x86-64-v4; a step that may
; leave the page is looked ahead of for four turns; where the step is not known, what this turn reads is prefetched.
; RUN: %helicon-opt -stages=prefetch_masked_loads %s | %FileCheck %s
; REQUIRES: helicon-opt

declare <32 x float> @llvm.masked.load.v32f32.p0(ptr, <32 x i1>, <32 x float>)

; CHECK-LABEL: @stream(
; CHECK: loop:
; CHECK: %p = getelementptr float
; CHECK-NEXT: %[[NEXT:.*]] = getelementptr i8, ptr %p, i64 128
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %[[NEXT]], i32 0, i32 3, i32 1)
; CHECK-NEXT: %[[LAST:.*]] = getelementptr i8, ptr %[[NEXT]], i64 64
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %[[LAST]], i32 0, i32 3, i32 1)
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

; CHECK-LABEL: @narrow_index(
; CHECK: getelementptr i8, ptr %p, i64 128
define void @narrow_index(ptr %from, ptr %to, i32 %start, i32 %n, <32 x i1> %mask) #0 {
entry:
  br label %loop

loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr %from, i64 %wide
  %v = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, <32 x i1> %mask, <32 x float> poison)
  store <32 x float> %v, ptr %to
  %next = add i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

; CHECK-LABEL: @step_of_the_program(
; CHECK: %[[BYTES:.*]] = mul i64 %step, 4
; CHECK: %[[FAR:.*]] = mul i64 %[[BYTES]], 4
; CHECK: getelementptr i8, ptr %p, i64 %[[FAR]]
define void @step_of_the_program(ptr %from, ptr %to, i64 %step, i64 %n, <32 x i1> %mask) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %from, i64 %i
  %v = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, <32 x i1> %mask, <32 x float> poison)
  store <32 x float> %v, ptr %to
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

; CHECK-LABEL: @unknown_step(
; CHECK: %p = getelementptr float
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %p,
; CHECK-NEXT: getelementptr i8, ptr %p, i64 64
define void @unknown_step(ptr %from, ptr %to, i64 %n, <32 x i1> %mask) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %from, i64 %i
  %v = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, <32 x i1> %mask, <32 x float> poison)
  store <32 x float> %v, ptr %to
  %next = mul i64 %i, 3
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

attributes #0 = { "target-cpu"="x86-64-v4" }
