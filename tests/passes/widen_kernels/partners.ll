; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that exchange with partners (`i ^ k`) access a row of elements, each another one than its own number: a vector
; whose lanes change places, if it turns out to be so. An address is made where it is used.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @partners.flat.rows.full(
; CHECK:         %[[INDEX:.*]] = freeze <32 x i32>
; CHECK-NEXT:    %[[FIRST:.*]] = extractelement <32 x i32> %[[INDEX]], i64 0
; CHECK-NEXT:    xor <32 x i32> %[[INDEX]], <i32 0, i32 1,
; CHECK:         %[[HOLD:.*]] = icmp eq i32 %{{.*}}, 0
; CHECK:         %[[LANES:.*]] = xor <32 x i32> <i32 0, i32 1,
; CHECK-NEXT:    %[[ROW:.*]] = and i32 %[[FIRST]], -32
; CHECK-NEXT:    %[[WIDE:.*]] = zext i32 %[[ROW]] to i64
; CHECK-NEXT:    %[[PLACE:.*]] = getelementptr float, ptr %{{.*}}, i64 %[[WIDE]]
; CHECK-NEXT:    br i1 %[[HOLD]], label %straight, label %wraps
; CHECK:       straight:
; CHECK:         call <32 x i32> @hl.permute.lanes(<32 x i32> %{{.*}}, <32 x i32> %[[LANES]])
; CHECK:         call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %[[PLACE]],
; CHECK:         call <32 x i32> @hl.permute.lanes(<32 x i32> %{{.*}}, <32 x i32> %[[LANES]])
; CHECK:       wraps:
; CHECK-NEXT:    call <32 x float> @llvm.masked.gather
; CHECK:         call <32 x i32> @hl.permute.lanes
; CHECK:         call void @llvm.masked.store.v32f32.p0
; CHECK:         call void @llvm.masked.scatter
; CHECK-LABEL: define internal void @partners.flat.rows(
define ptx_kernel void @partners(ptr %a, i32 %k) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = xor i32 %t, %k
  %i = zext i32 %p to i64
  %place = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %place, align 4
  %more = icmp ugt i32 %p, %t
  br i1 %more, label %write, label %done
write:
  %twice = fadd float %v, %v
  store float %twice, ptr %place, align 4
  br label %done
done:
  ret void
}

; Neither two indices of the lanes' own nor elements of other sizes.
; CHECK-LABEL: define internal void @others.flat.rows.full(
; CHECK-NOT:     @hl.permute.lanes
; CHECK-LABEL: define internal void @others.flat.rows(
define ptx_kernel void @others(ptr %a, ptr %b, i32 %k) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = xor i32 %t, %k
  %i = zext i32 %p to i64
  %place = getelementptr double, ptr %a, i64 %i
  %v = load double, ptr %place, align 8
  %square = mul i32 %t, %t
  %q = xor i32 %square, %t
  %j = zext i32 %q to i64
  %to = getelementptr float, ptr %b, i64 %j
  %less = fptrunc double %v to float
  store float %less, ptr %to, align 4
  ret void
}
