; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomics of the system's scope are PTX; what PTX has no instruction for is a loop of compare and exchange. Others stay.
; RUN: %helicon-opt -gpu=sm_90 -stages=widen_atomic_scope %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @global(
; CHECK: call i32 asm sideeffect "atom.relaxed.sys.global.max.s32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(1) %p, i32 %v)
define i32 @global(ptr addrspace(1) %p, i32 %v) {
  %r = atomicrmw max ptr addrspace(1) %p, i32 %v monotonic
  ret i32 %r
}
; CHECK-LABEL: define i64 @subtract(
; CHECK: %[[N:.*]] = sub i64 0, %v
; CHECK: asm sideeffect "atom.relaxed.sys.add.u64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %p, i64 %[[N]])
define i64 @subtract(ptr %p, i64 %v) {
  %r = atomicrmw sub ptr %p, i64 %v monotonic
  ret i64 %r
}
; CHECK-LABEL: define float @add(
; CHECK: asm sideeffect "atom.relaxed.sys.add.f32
define float @add(ptr %p, float %v) {
  %r = atomicrmw fadd ptr %p, float %v monotonic
  ret float %r
}
; CHECK-LABEL: define float @largest(
; CHECK: cmpxchg ptr %p, i32 %{{.*}}, i32 %{{.*}} monotonic
define float @largest(ptr %p, float %v) {
  %r = atomicrmw fmax ptr %p, float %v monotonic
  ret float %r
}
; CHECK-LABEL: define i32 @device(
; CHECK-NEXT: {{.*}} = atomicrmw add ptr %p, i32 %v syncscope("device") monotonic
define i32 @device(ptr %p, i32 %v) {
  %r = atomicrmw add ptr %p, i32 %v syncscope("device") monotonic
  ret i32 %r
}
