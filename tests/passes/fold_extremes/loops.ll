; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop's maximum or minimum that begins with a number stays one. The processor's instruction chooses; of two zeros the
; sign is put right. Masks that are registers choose where both are equal; without signed zeros there is nothing to do.
; RUN: %helicon-opt -stages=fold_extremes %s | %FileCheck %s
; REQUIRES: helicon-opt

declare <8 x float> @llvm.maximumnum.v8f32(<8 x float>, <8 x float>)
declare <4 x double> @llvm.minimumnum.v4f64(<4 x double>, <4 x double>)

; CHECK-LABEL: @largest(
; CHECK:         %x = load
; CHECK-NEXT:    %[[G:.*]] = fcmp ogt <8 x float> %x, %m
; CHECK-NEXT:    %[[L:.*]] = select <8 x i1> %[[G]], <8 x float> %x, <8 x float> %m
; CHECK-NEXT:    %[[XB:.*]] = bitcast <8 x float> %x to <8 x i32>
; CHECK-NEXT:    %[[LB:.*]] = bitcast <8 x float> %[[L]] to <8 x i32>
; CHECK-NEXT:    %[[N:.*]] = fcmp une <8 x float> %x, %m
; CHECK-NEXT:    %[[S:.*]] = sext <8 x i1> %[[N]] to <8 x i32>
; CHECK-NEXT:    %[[O:.*]] = or <8 x i32> %[[XB]], %[[S]]
; CHECK-NEXT:    %[[A:.*]] = and <8 x i32> %[[LB]], %[[O]]
; CHECK-NEXT:    bitcast <8 x i32> %[[A]] to <8 x float>
; CHECK-NOT:     maximumnum
define <8 x float> @largest(ptr %p, <8 x i1> %mask) #0 {
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %m = phi <8 x float> [ splat (float 0xFFF0000000000000), %entry ], [ %kept, %loop ]
  %x = load <8 x float>, ptr %at, align 4
  %r = call <8 x float> @llvm.maximumnum.v8f32(<8 x float> %m, <8 x float> %x)
  %kept = select <8 x i1> %mask, <8 x float> %r, <8 x float> %m
  %next = getelementptr i8, ptr %at, i64 32
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %done
done:
  ret <8 x float> %kept
}

; CHECK-LABEL: @smallest(
; CHECK:         fcmp olt <4 x double> %x, %number
; CHECK:         %[[E:.*]] = fcmp oeq <4 x double> %x, %number
; CHECK-NEXT:    %[[S:.*]] = sext <4 x i1> %[[E]] to <4 x i64>
; CHECK-NEXT:    %[[A:.*]] = and <4 x i64> %{{.*}}, %[[S]]
; CHECK-NEXT:    or <4 x i64> %{{.*}}, %[[A]]
; CHECK-NOT:     minimumnum
define <4 x double> @smallest(<4 x double> %x, <4 x i32> %i) #0 {
  %number = sitofp <4 x i32> %i to <4 x double>
  %r = call <4 x double> @llvm.minimumnum.v4f64(<4 x double> %x, <4 x double> %number)
  ret <4 x double> %r
}

; CHECK-LABEL: @by_masks(
; CHECK:         fcmp ogt
; CHECK:         %[[A:.*]] = and <8 x i32>
; CHECK-NEXT:    %[[E:.*]] = fcmp oeq <8 x float> %x, %number
; CHECK-NEXT:    %[[B:.*]] = bitcast <8 x i32> %[[A]] to <8 x float>
; CHECK-NEXT:    select <8 x i1> %[[E]], <8 x float> %[[B]], <8 x float>
define <8 x float> @by_masks(<8 x float> %x, <8 x i32> %i) #1 {
  %number = sitofp <8 x i32> %i to <8 x float>
  %r = call <8 x float> @llvm.maximumnum.v8f32(<8 x float> %x, <8 x float> %number)
  ret <8 x float> %r
}

; CHECK-LABEL: @unsigned_zeros(
; CHECK:         fcmp ogt
; CHECK-NEXT:    %[[L:.*]] = select
; CHECK-NEXT:    ret <8 x float> %[[L]]
define <8 x float> @unsigned_zeros(<8 x float> %x, <8 x i32> %i) #0 {
  %number = sitofp <8 x i32> %i to <8 x float>
  %r = call nsz <8 x float> @llvm.maximumnum.v8f32(<8 x float> %x, <8 x float> %number)
  ret <8 x float> %r
}

attributes #0 = { "target-cpu"="x86-64-v3" }
attributes #1 = { "target-cpu"="x86-64-v4" }
