; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One thread reads a flag and tells the others, until it is set: the thread enters the loop elsewhere than those that have
; nothing to read. Both barriers stay one each.
; report: llvm/llvm-project#224146
; RUN: %helicon-opt -gpu=sm_90 -stages=optimise_early,unroll_inner_loops,optimise_late %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@seen = internal addrspace(3) global i32 poison, align 4
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-LABEL: define ptx_kernel void @poll(
; CHECK-COUNT-2: call void @llvm.nvvm.barrier.cta.sync.aligned.all(
; CHECK-NOT:     call void @llvm.nvvm.barrier.cta.sync.aligned.all(
define ptx_kernel void @poll(ptr addrspace(1) %flag, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %read, label %meet
read:
  %new = load volatile i32, ptr addrspace(1) %flag, align 4
  br label %meet
meet:
  %known = phi i32 [ 0, %entry ], [ %new, %read ], [ %known, %again ]
  %fresh = phi i1 [ false, %entry ], [ true, %read ], [ false, %again ]
  br i1 %fresh, label %tell, label %wait
tell:
  store i32 %known, ptr addrspace(3) @seen, align 4
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) #0
  %v = load i32, ptr addrspace(3) @seen, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) #0
  %over = icmp ne i32 %v, 0
  br i1 %over, label %done, label %again
again:
  br i1 %first, label %read, label %meet
done:
  store i32 %v, ptr addrspace(1) %out, align 4
  ret void
}
attributes #0 = { convergent nounwind }
