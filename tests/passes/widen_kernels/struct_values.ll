; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A struct that differs between lanes is a struct of vectors; where ways of lanes meet, it is blended member by member.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%pair = type { i32, float }

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Calls of it stay, lane by lane.
define %pair @made(i32 %x) noinline {
  %f = sitofp i32 %x to float
  %a = insertvalue %pair poison, i32 %x, 0
  %b = insertvalue %pair %a, float %f, 1
  ret %pair %b
}

; CHECK-LABEL: define internal void @k.flat.rows.full(
; CHECK:         call {{.*}}@made(
; CHECK-DAG:     select <32 x i1> %{{.*}}, <32 x i32>
; CHECK-DAG:     select <32 x i1> %{{.*}}, <32 x float>
define ptx_kernel void @k(ptr %p) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp slt i32 %tid, 5
  br i1 %low, label %one, label %other
one:
  %a = call %pair @made(i32 %tid)
  br label %done
other:
  %twice = mul i32 %tid, 2
  %b = call %pair @made(i32 %twice)
  br label %done
done:
  %merged = phi %pair [ %a, %one ], [ %b, %other ]
  %i = extractvalue %pair %merged, 0
  %f = extractvalue %pair %merged, 1
  %g = fptosi float %f to i32
  %sum = add i32 %i, %g
  %place = getelementptr i32, ptr %p, i32 %tid
  store i32 %sum, ptr %place, align 4
  ret void
}
