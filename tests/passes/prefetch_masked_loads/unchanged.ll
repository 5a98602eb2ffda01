; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Other processors, what stands outside loops or does not move in them, local arrays, shared memory and known masks stay as they are.
; RUN: %helicon-opt -stages=prefetch_masked_loads %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-NOT: llvm.prefetch

declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, <16 x i1>, <16 x float>)

declare ptr @hl.self()

define void @shared_memory(ptr %to, i64 %n, <16 x i1> %mask) #1 {
entry:
  %self = call ptr @hl.self()
  %window = getelementptr i8, ptr %self, i64 64
  %shared = load ptr, ptr %window, align 8
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %shared, i64 %i
  %v = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %p, <16 x i1> %mask, <16 x float> poison)
  store <16 x float> %v, ptr %to
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @other_processor(ptr %from, ptr %to, i64 %n, <16 x i1> %mask) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %from, i64 %i
  %v = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %p, <16 x i1> %mask, <16 x float> poison)
  store <16 x float> %v, ptr %to
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @no_stream(ptr %from, ptr %to, i64 %n, <16 x i1> %mask) #1 {
entry:
  %local = alloca [64 x float]
  %once = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %from, <16 x i1> %mask, <16 x float> poison)
  store <16 x float> %once, ptr %to
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %from, <16 x i1> %mask, <16 x float> poison)
  store <16 x float> %v, ptr %to
  %p = getelementptr float, ptr %local, i64 %i
  %w = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %p, <16 x i1> %mask, <16 x float> poison)
  store <16 x float> %w, ptr %to
  %q = getelementptr float, ptr %from, i64 %i
  %x = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %q, <16 x i1> splat (i1 true), <16 x float> poison)
  store <16 x float> %x, ptr %to
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

attributes #0 = { "target-cpu"="x86-64-v3" }
attributes #1 = { "target-cpu"="x86-64-v4" }
