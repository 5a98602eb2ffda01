; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An index that is not negative in the lanes that are there (`if (t >= k) a[t - k]`) may count through 0 in the others:
; neighbours, and nothing to look at.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @shifted.flat.rows.full(
; CHECK:       read.apart:
; CHECK:         %[[FROM:.*]] = sub i32 %tid.x,
; CHECK-NEXT:    %[[INDEX:.*]] = sext i32 %[[FROM]] to i64
; CHECK-NEXT:    %[[PLACE:.*]] = getelementptr float, ptr %{{.*}}, i64 %[[INDEX]]
; CHECK-NEXT:    call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %[[PLACE]],
; CHECK-NOT:     @hl.load.lanes
; CHECK-LABEL: define internal void @shifted.flat.rows(
define ptx_kernel void @shifted(ptr %a, ptr %b, i32 %k) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %has = icmp sge i32 %t, %k
  br i1 %has, label %read, label %done
read:
  %from = sub nsw i32 %t, %k
  %i = zext nneg i32 %from to i64
  %place = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %place, align 4
  %j = zext nneg i32 %t to i64
  %to = getelementptr float, ptr %b, i64 %j
  store float %v, ptr %to, align 4
  br label %done
done:
  ret void
}
