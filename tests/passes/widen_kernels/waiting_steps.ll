; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where lanes of a warp may wait for each other, a function does what a lane can do until it has to wait, and the lanes call it one after
; the other; those that wait, again.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__hl_yield()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; The exchange, what it protects and the store after it are in the function; what follows the barrier is not.
; CHECK-LABEL: define internal i1 @lock.flat.scalar.step(ptr %where,
; CHECK:         %[[WHERE:.*]] = load i32, ptr %where
; CHECK:         switch i32 %[[WHERE]], label %spin [
; CHECK-NEXT:      i32 1, label %[[ON:.*]]
; CHECK:         cmpxchg
; CHECK-NOT:     __hl_yield
; CHECK:         store atomic i32 0, ptr %p release
; CHECK:         store i32 5, ptr %out
; CHECK:         store i32 1, ptr %where
; CHECK-NEXT:    br label %[[WAITS:.*]]
; CHECK:       [[ON]]:
; CHECK-NEXT:    br label %spin
; CHECK:       [[WAITS]]:
; CHECK-NEXT:    ret i1 false
; CHECK-LABEL: define internal void @lock.flat.rows.full(
; CHECK-NOT:     cmpxchg
; CHECK-DAG:     call {{.*}} @lock.flat.scalar.step(
; CHECK-DAG:     call void @__hl_yield()
; CHECK-DAG:     call void @__hl_barrier(
; CHECK-LABEL: define internal void @lock.flat.rows(
define ptx_kernel void @lock(ptr %p, ptr %out, ptr %last) {
entry:
  br label %spin
spin:
  %pair = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %done, label %again
again:
  call void @__hl_yield()
  br label %spin
done:
  store atomic i32 0, ptr %p release, align 4
  store i32 5, ptr %out, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 7, ptr %last, align 4
  ret void
}

; All lanes leave at once: they wait for another warp or block, all together.
; CHECK-LABEL: define internal void @flag.flat.rows.full(
; CHECK:         load volatile i32
; CHECK-NOT:     .step(
; CHECK-LABEL: define internal void @flag.flat.rows(
define ptx_kernel void @flag(ptr %p, ptr %out) {
entry:
  br label %spin
spin:
  %now = load volatile i32, ptr %p, align 4
  %set = icmp ne i32 %now, 0
  br i1 %set, label %done, label %again
again:
  call void @__hl_yield()
  br label %spin
done:
  store i32 1, ptr %out, align 4
  ret void
}
