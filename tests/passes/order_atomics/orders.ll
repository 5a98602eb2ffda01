; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The order of a read-modify-write becomes fences of its scope; compare and exchange keeps its own.
; RUN: %helicon-opt -gpu=sm_90 -stages=order_atomics %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @k(
; CHECK-NEXT:  {{.*}} = atomicrmw add ptr %p, i32 1 syncscope("device") monotonic
; CHECK-NEXT:  {{.*}} = atomicrmw add ptr %p, i32 2 syncscope("block") monotonic
; CHECK-NEXT:  fence syncscope("block") acquire
; CHECK-NEXT:  fence syncscope("device") release
; CHECK-NEXT:  {{.*}} = atomicrmw add ptr %p, i32 3 syncscope("device") monotonic
; CHECK-NEXT:  fence seq_cst
; CHECK-NEXT:  {{.*}} = atomicrmw add ptr %p, i32 4 monotonic
; CHECK-NEXT:  fence acquire
; CHECK-NEXT:  {{.*}} = cmpxchg ptr %p, i32 1, i32 2 acq_rel acquire
define void @k(ptr %p) {
  %r1 = atomicrmw add ptr %p, i32 1 syncscope("device") monotonic
  %r2 = atomicrmw add ptr %p, i32 2 syncscope("block") acquire
  %r3 = atomicrmw add ptr %p, i32 3 syncscope("device") release
  %r4 = atomicrmw add ptr %p, i32 4 seq_cst
  %c = cmpxchg ptr %p, i32 1, i32 2 acq_rel acquire
  ret void
}
