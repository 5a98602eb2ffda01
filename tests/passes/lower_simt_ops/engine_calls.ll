; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barriers and warp functions become calls of the engine; second results come through memory; each activemask has its own site.
; RUN: %helicon-opt -stages=lower_simt_ops %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare { float, i1 } @llvm.nvvm.shfl.sync.up.f32p(i32, float, i32, i32)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare i32 @llvm.nvvm.activemask()
declare void @llvm.nvvm.exit()

; CHECK-LABEL: define void @barrier()
; CHECK-NEXT:    call void @__hl_barrier(i32 3, i32 0) #[[SYNC:[0-9]+]]
define void @barrier() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 3)
  ret void
}

; CHECK-LABEL: define i32 @shuffle(
; CHECK-NEXT:    call i32 @__hl_shfl(i32 1, i32 -1, i32 %v, i32 2, i32 31, ptr null)
define i32 @shuffle(i32 %v) {
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 2, i32 31)
  ret i32 %r
}

; CHECK-LABEL: define i1 @shuffle_pair(
; CHECK:         %second = alloca i32
; CHECK:         %[[BITS:.*]] = bitcast float %v to i32
; CHECK:         %[[R:.*]] = call i32 @__hl_shfl(i32 0, i32 -1, i32 %[[BITS]], i32 1, i32 0, ptr %second)
; CHECK:         load i32, ptr %second
define i1 @shuffle_pair(float %v) {
  %r = call { float, i1 } @llvm.nvvm.shfl.sync.up.f32p(i32 -1, float %v, i32 1, i32 0)
  %p = extractvalue { float, i1 } %r, 1
  ret i1 %p
}

; CHECK-LABEL: define i1 @vote(
; CHECK:         %[[P:.*]] = zext i1 %p to i32
; CHECK:         %[[R:.*]] = call i32 @__hl_vote(i32 0, i32 -1, i32 %[[P]])
; CHECK:         icmp ne i32 %[[R]], 0
define i1 @vote(i1 %p) {
  %r = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %p)
  ret i1 %r
}

; CHECK-LABEL: define i32 @redux(
; CHECK:         call i32 @__hl_redux(i32 2, i32 15, i32 %v)
define i32 @redux(i32 %v) {
  %r = call i32 @llvm.nvvm.redux.sync.umax(i32 %v, i32 15)
  ret i32 %r
}

; CHECK-LABEL: define i32 @active()
; CHECK-DAG:     call i32 @__hl_activemask(i32 0)
; CHECK-DAG:     call i32 @__hl_activemask(i32 1)
define i32 @active() {
  %a = call i32 @llvm.nvvm.activemask()
  %b = call i32 @llvm.nvvm.activemask()
  %c = or i32 %a, %b
  ret i32 %c
}

; CHECK-LABEL: define void @leave()
; CHECK:         call void @__hl_exit() #[[END:[0-9]+]]
define void @leave() {
  call void @llvm.nvvm.exit()
  ret void
}
; CHECK-NOT: llvm.nvvm
; CHECK: attributes #[[SYNC]] = {{.*}}convergent
; CHECK: attributes #[[END]] = {{.*}}noreturn
