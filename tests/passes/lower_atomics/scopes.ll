; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Scopes go, orders stay.
; RUN: %helicon-opt -stages=lower_atomics %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)

; CHECK-LABEL: define void @k(
; CHECK-NEXT:    atomicrmw add ptr %p, i32 1 acquire, align 4
; CHECK-NEXT:    cmpxchg ptr %p, i32 1, i32 2 acq_rel monotonic, align 4
; CHECK-NEXT:    load atomic i32, ptr %p acquire, align 4
; CHECK-NEXT:    store atomic i32 0, ptr %p release, align 4
; CHECK-NEXT:    fence seq_cst
; CHECK-NEXT:    atomicrmw add ptr %p, i32 5 monotonic, align 4
; CHECK-NEXT:    ret void
define void @k(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 syncscope("block") acquire, align 4
  %b = cmpxchg ptr %p, i32 1, i32 2 syncscope("device") acq_rel monotonic, align 4
  %c = load atomic i32, ptr %p syncscope("cluster") acquire, align 4
  store atomic i32 0, ptr %p syncscope("device") release, align 4
  fence syncscope("block") seq_cst
  %d = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %p, i32 5)
  ret void
}
