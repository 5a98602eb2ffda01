; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The bits of any number, also of one in memory, each compared in its lane, in each block that uses them.
; RUN: %helicon-opt -stages=compare_counted_lanes %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: @blocks(
; CHECK-NOT:   bitcast
; CHECK:       entry:
; CHECK:         %[[WIDE:.*]] = zext i8 %bits to i32
; CHECK:         insertelement <8 x i32> poison, i32 %[[WIDE]], i64 0
; CHECK:         %[[OWN:.*]] = and <8 x i32> %{{.*}}, <i32 1, i32 2, i32 4, i32 8, i32 16, i32 32, i32 64, i32 128>
; CHECK:         %[[MASK:.*]] = icmp eq <8 x i32> %[[OWN]], <i32 1, i32 2, i32 4, i32 8, i32 16, i32 32, i32 64, i32 128>
; CHECK:         select <8 x i1> %[[MASK]],
; CHECK:       other:
; CHECK:         %[[AGAIN:.*]] = icmp eq <8 x i32>
; CHECK:         select <8 x i1> %[[AGAIN]],
define <8 x i32> @blocks(i8 %bits, <8 x i32> %a, <8 x i32> %b, i1 %way) #0 {
entry:
  %mask = bitcast i8 %bits to <8 x i1>
  %x = select <8 x i1> %mask, <8 x i32> %a, <8 x i32> %b
  br i1 %way, label %other, label %done

other:
  %y = select <8 x i1> %mask, <8 x i32> %x, <8 x i32> %a
  ret <8 x i32> %y

done:
  ret <8 x i32> %x
}

; CHECK-LABEL: @warp(
; CHECK:         and <32 x i32> %{{.*}}, <i32 1, i32 2, {{.*}}, i32 1073741824, i32 -2147483648>
define <32 x i1> @warp(i32 %bits) #0 {
  %mask = bitcast i32 %bits to <32 x i1>
  ret <32 x i1> %mask
}

; CHECK-LABEL: @from_memory(
; CHECK-NEXT:    load i32, ptr %place, align 8
; CHECK:         icmp eq <32 x i32>
define <32 x i1> @from_memory(ptr %place) #0 {
  %mask = load <32 x i1>, ptr %place, align 8
  ret <32 x i1> %mask
}

attributes #0 = { "target-cpu"="x86-64-v3" }
