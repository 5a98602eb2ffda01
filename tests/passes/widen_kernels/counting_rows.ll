; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A counter that starts with threadIdx.x and steps by blockDim.x stays a row of 32 in whole rows: against a multiple of 32
; it compares the same in all lanes, so that the loop needs no mask.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:         icmp {{(samesign )?}}ult i32 %{{.*}}, 2048
; CHECK-NOT:     ult <32 x i32>
; CHECK-LABEL: define internal void @k.flat.rows(
; CHECK:         ult <32 x i32>
define ptx_kernel void @k(ptr %p) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %step = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %head
head:
  %i = phi i32 [ %tid, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %in = icmp ult i32 %i, 2048
  br i1 %in, label %body, label %done
body:
  %wide = zext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %wide
  %x = load float, ptr %at, align 4
  %more = fadd float %sum, %x
  %next = add nuw nsw i32 %i, %step
  br label %head
done:
  %place = zext i32 %tid to i64
  %out = getelementptr float, ptr %p, i64 %place
  store float %sum, ptr %out, align 4
  ret void
}
