; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where both may be NaN, where a loop may begin with a NaN or comes to hold one, single numbers and constants: nothing
; changes.
; RUN: %helicon-opt -stages=fold_extremes %s | %FileCheck %s
; REQUIRES: helicon-opt

declare <8 x float> @llvm.maximumnum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.maximum.v8f32(<8 x float>, <8 x float>)
declare float @llvm.maximumnum.f32(float, float)

; CHECK-NOT: fcmp ogt

; CHECK-LABEL: @unknown(
; CHECK: call <8 x float> @llvm.maximumnum
define <8 x float> @unknown(<8 x float> %x, <8 x float> %y) #0 {
  %r = call <8 x float> @llvm.maximumnum.v8f32(<8 x float> %x, <8 x float> %y)
  ret <8 x float> %r
}

; CHECK-LABEL: @begins_unknown(
; CHECK: call <8 x float> @llvm.maximumnum
define <8 x float> @begins_unknown(ptr %p, <8 x float> %first) #0 {
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %m = phi <8 x float> [ %first, %entry ], [ %r, %loop ]
  %x = load <8 x float>, ptr %at, align 4
  %r = call <8 x float> @llvm.maximumnum.v8f32(<8 x float> %x, <8 x float> %m)
  %next = getelementptr i8, ptr %at, i64 32
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %done
done:
  ret <8 x float> %r
}

; CHECK-LABEL: @begins_with_nan(
; CHECK: call <8 x float> @llvm.maximumnum
define <8 x float> @begins_with_nan(ptr %p) #0 {
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %m = phi <8 x float> [ splat (float 0x7FF8000000000000), %entry ], [ %r, %loop ]
  %x = load <8 x float>, ptr %at, align 4
  %r = call <8 x float> @llvm.maximumnum.v8f32(<8 x float> %x, <8 x float> %m)
  %next = getelementptr i8, ptr %at, i64 32
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %done
done:
  ret <8 x float> %r
}

; Infinity less infinity is no number.
; CHECK-LABEL: @calculates(
; CHECK: call <8 x float> @llvm.maximumnum
define <8 x float> @calculates(ptr %p) #0 {
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %m = phi <8 x float> [ zeroinitializer, %entry ], [ %less, %loop ]
  %x = load <8 x float>, ptr %at, align 4
  %r = call <8 x float> @llvm.maximumnum.v8f32(<8 x float> %x, <8 x float> %m)
  %less = fsub <8 x float> %r, %x
  %next = getelementptr i8, ptr %at, i64 32
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %done
done:
  ret <8 x float> %r
}

; CHECK-LABEL: @single(
; CHECK: call float @llvm.maximumnum
define float @single(float %x, i32 %i) #0 {
  %m = sitofp i32 %i to float
  %r = call float @llvm.maximumnum.f32(float %x, float %m)
  ret float %r
}

; CHECK-LABEL: @constant(
; CHECK: call <8 x float> @llvm.maximumnum
define <8 x float> @constant(<8 x float> %x) #0 {
  %r = call <8 x float> @llvm.maximumnum.v8f32(<8 x float> %x, <8 x float> zeroinitializer)
  ret <8 x float> %r
}

attributes #0 = { "target-cpu"="x86-64-v3" }
