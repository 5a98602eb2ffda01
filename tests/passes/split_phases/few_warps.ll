; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where eight warps can run jointly, four that are left over do too: thirteen run by eight, four and one.
; RUN: %helicon-opt -stages=split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_block_over()

; CHECK-LABEL: define internal i32 @sums.rows.phase0.joint8(
; CHECK-COUNT-8: = phi <32 x i8>
; CHECK-LABEL: define internal i32 @sums.rows.phase0.joint4(
; CHECK-COUNT-4: = phi <32 x i8>
; CHECK-NOT:     = phi <32 x i8>
; CHECK-LABEL: define internal i32 @sums.rows.phase0(
; CHECK:         %[[EIGHTS:.*]] = and i32 %{{.*}}, -8
; CHECK-NEXT:    %[[FIRST:.*]] = add i32 %begin, %[[EIGHTS]]
; CHECK:         call i32 @sums.rows.phase0.joint8(ptr %launch, ptr %block, i32 %begin, i32 %[[FIRST]], ptr %state)
; CHECK:         %[[LEFT:.*]] = sub i32 %end, %[[FIRST]]
; CHECK-NEXT:    %[[FOURS:.*]] = and i32 %[[LEFT]], -4
; CHECK-NEXT:    %[[NEXT:.*]] = add i32 %[[FIRST]], %[[FOURS]]
; CHECK:         call i32 @sums.rows.phase0.joint4(ptr %launch, ptr %block, i32 %[[FIRST]], i32 %[[NEXT]], ptr %state)
; CHECK:         %[[SOME:.*]] = icmp ult i32 %[[NEXT]], %end
; CHECK-NEXT:    br i1 %[[SOME]], label %each.warp, label %done
define internal void @sums.rows(ptr %launch, ptr %block, i32 %warp, i32 %lanes, i32 %x, i32 %y, i32 %z) {
entry:
  %p = load ptr, ptr %launch, align 8, !invariant.load !0
  %row = shl i32 %warp, 5
  %out = getelementptr i8, ptr %p, i32 %row
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <32 x i8> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = getelementptr i8, ptr %out, i32 %i
  %v = load <32 x i8>, ptr %at, align 1
  %more = add <32 x i8> %sum, %v
  %next = add i32 %i, 1024
  %again = icmp ult i32 %next, 10240
  br i1 %again, label %loop, label %done
done:
  store <32 x i8> %more, ptr %out, align 1
  ret void
}
define void @sums.block(ptr %launch, ptr %block, i32 %begin, i32 %end) {
entry:
  br label %loop
loop:
  %warp = phi i32 [ %begin, %entry ], [ %next, %loop ]
  call void @sums.rows(ptr %launch, ptr %block, i32 %warp, i32 -1, i32 0, i32 0, i32 0)
  %next = add i32 %warp, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  call void @__hl_block_over()
  ret void
}
define ptx_kernel void @sums(ptr %p) #0 {
  ret void
}

attributes #0 = { "hl.flags"="32" }
!0 = !{}
