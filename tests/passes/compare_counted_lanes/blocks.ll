; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each block that uses the mask of so many first lanes compares their numbers with the count.
; RUN: %helicon-opt -stages=compare_counted_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: @blocks(
; CHECK-NOT:   bitcast
; CHECK:       entry:
; CHECK:         %[[HERE:.*]] = icmp ugt <4 x i4> %{{.*}}, <i4 0, i4 1, i4 2, i4 3>
; CHECK:         br i1
; CHECK:       other:
; CHECK:         %[[SPLAT:.*]] = shufflevector <4 x i4>
; CHECK:         %[[MASK:.*]] = icmp ugt <4 x i4> %[[SPLAT]], <i4 0, i4 1, i4 2, i4 3>
; CHECK:         select <4 x i1> %[[MASK]],
; CHECK:         select <4 x i1> %[[MASK]],
; CHECK:       done:
; CHECK:         phi <4 x i1> [ %[[HERE]], %entry ], [ zeroinitializer, %other ]
define <4 x i32> @blocks(i4 %count, <4 x i32> %a, <4 x i32> %b, i1 %way) #0 {
entry:
  %rest = shl i4 -1, %count
  %bits = xor i4 %rest, -1
  %mask = bitcast i4 %bits to <4 x i1>
  br i1 %way, label %other, label %done

other:
  %x = select <4 x i1> %mask, <4 x i32> %a, <4 x i32> %b
  %y = select <4 x i1> %mask, <4 x i32> %x, <4 x i32> %a
  br label %done

done:
  %there = phi <4 x i1> [ %mask, %entry ], [ zeroinitializer, %other ]
  %v = phi <4 x i32> [ %a, %entry ], [ %y, %other ]
  %z = select <4 x i1> %there, <4 x i32> %v, <4 x i32> %b
  ret <4 x i32> %z
}

attributes #0 = { "target-cpu"="x86-64-v3" }
