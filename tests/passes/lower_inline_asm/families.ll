; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One instruction of each family, after the cells of the registers are gone.
; RUN: %helicon-opt -stages=lower_inline_asm,tidy %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @integer(
; CHECK: %[[P:.*]] = mul i32 %x, %y
; CHECK: %[[S:.*]] = add i32 %[[P]], -3
; CHECK: ret i32 %[[S]]
define i32 @integer(i32 %x, i32 %y) {
  %r = call i32 asm "mad.lo.s32 $0, $1, $2, -3;", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}
; CHECK-LABEL: @shift(
; CHECK: %[[FITS:.*]] = icmp ult i32 %y, 32
; CHECK: %[[SAFE:.*]] = select i1 %[[FITS]], i32 %y, i32 0
; CHECK: %[[UP:.*]] = shl i32 %x, %[[SAFE]]
; CHECK: select i1 %[[FITS]], i32 %[[UP]], i32 0
define i32 @shift(i32 %x, i32 %y) {
  %r = call i32 asm "shl.b32 $0, $1, $2;", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}
; CHECK-LABEL: @carry(
; CHECK: %[[SUM:.*]] = add i33
; CHECK: %[[TOP:.*]] = lshr i33 %[[SUM]], 32
; CHECK: %[[FLAG:.*]] = trunc i33 %[[TOP]] to i1
; CHECK: zext i1 %[[FLAG]] to i33
define { i32, i32 } @carry(i32 %x, i32 %y) {
  %r = call { i32, i32 } asm "add.cc.u32 $0, $2, $3; addc.u32 $1, 0, 0;", "=r,=r,r,r"(i32 %x, i32 %y)
  ret { i32, i32 } %r
}
; CHECK-LABEL: @floating(
; CHECK: call float @llvm.copysign.f32(float 0.000000e+00, float %x)
; CHECK: %[[R:.*]] = call float @llvm.fma.f32(float {{.*}}, float {{.*}}, float 1.000000e+00)
; CHECK: call float @llvm.copysign.f32(float 0.000000e+00, float %[[R]])
define float @floating(float %x, float %y) {
  %r = call float asm "fma.rn.ftz.f32 $0, $1, $2, 0f3F800000;", "=f,f,f"(float %x, float %y)
  ret float %r
}
; CHECK-LABEL: @halves(
; CHECK: fadd <2 x half>
define i32 @halves(i32 %x, i32 %y) {
  %r = call i32 asm "{add.f16x2 $0,$1,$2;\0A}", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}
; CHECK-LABEL: @compare(
; CHECK: %[[LESS:.*]] = icmp ult i32 %x, %y
; CHECK: select i1 %[[LESS]], i32 8, i32 7
define i32 @compare(i32 %x, i32 %y) {
  %r = call i32 asm "{.reg .pred p; setp.lt.u32 p, $1, $2; @!p mov.u32 $0, 7; @p mov.u32 $0, 8;}", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}
; CHECK-LABEL: @convert(
; CHECK: %[[WHOLE:.*]] = call float @llvm.trunc.f32(float %x)
; CHECK: call i32 @llvm.fptoui.sat.i32.f32(float %[[WHOLE]])
define i32 @convert(float %x) {
  %r = call i32 asm "cvt.rzi.u32.f32 $0, $1;", "=r,f"(float %x)
  ret i32 %r
}
; CHECK-LABEL: @move(
; CHECK: %[[HIGH:.*]] = shl i32 %{{.*}}, 16
; CHECK: or i32 %{{.*}}, %[[HIGH]]
define i32 @move(i16 %x, i16 %y) {
  %r = call i32 asm "mov.b32 $0, {$1, $2};", "=r,h,h"(i16 %x, i16 %y)
  ret i32 %r
}
; CHECK-LABEL: @strong_load(
; CHECK: load atomic i64, ptr addrspace(1) %{{.*}} acquire, align 8
; CHECK: lshr i64 %{{.*}}, 32
define { i32, i32 } @strong_load(ptr %p) {
  %r = call { i32, i32 } asm sideeffect "ld.acquire.gpu.global.v2.u32 {$0, $1}, [$2+8];", "=r,=r,l,~{memory}"(ptr %p)
  ret { i32, i32 } %r
}
; CHECK-LABEL: @shared_store(
; CHECK: %[[A:.*]] = zext i32 %a to i64
; CHECK: %[[P:.*]] = inttoptr i64 %[[A]] to ptr addrspace(3)
; CHECK: store i32 %x, ptr addrspace(3) %[[P]], align 4
define void @shared_store(i32 %a, i32 %x) {
  call void asm sideeffect "st.shared.u32 [$0], $1;", "r,r,~{memory}"(i32 %a, i32 %x)
  ret void
}
; CHECK-LABEL: @polled(
; CHECK: load volatile i32, ptr addrspace(1)
define i32 @polled(ptr %p) {
  %r = call i32 asm sideeffect "ld.global.cv.u32 $0, [$1];", "=r,l"(ptr %p)
  ret i32 %r
}
; CHECK-LABEL: @atomic(
; CHECK: atomicrmw max ptr addrspace(1) %{{.*}}, i64 %x acq_rel, align 8
define i64 @atomic(ptr %p, i64 %x) {
  %r = call i64 asm sideeffect "atom.acq_rel.gpu.global.max.s64 $0, [$1], $2;", "=l,l,l,~{memory}"(ptr %p, i64 %x)
  ret i64 %r
}
; CHECK-LABEL: @warp(
; CHECK: %[[BOTH:.*]] = call { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %x, i32 1, i32 0)
; CHECK: %[[SUM:.*]] = add i32
; CHECK: select i1 %{{.*}}, i32 %[[SUM]]
define i32 @warp(i32 %x) {
  %r = call i32 asm sideeffect "{.reg .pred p; shfl.sync.up.b32 $0|p, $1, 1, 0, -1; @p add.u32 $0, $0, $1;}", "=r,r"(i32 %x)
  ret i32 %r
}
; CHECK-LABEL: @barrier(
; CHECK: addrspacecast ptr addrspace(3) %{{.*}} to ptr
; CHECK: call i64 @__hl_mbarrier_arrive(ptr %{{.*}}, i32 1, i32 0, i32 0)
define i64 @barrier(i32 %a) {
  %r = call i64 asm sideeffect "mbarrier.arrive.shared::cta.b64 $0, [$1];", "=l,r,~{memory}"(i32 %a)
  ret i64 %r
}
; CHECK-LABEL: @matrix(
; CHECK: call void @__hl_ldmatrix(ptr %fragment, ptr %{{.*}}, i32 2, i32 0)
define { float, float } @matrix(i32 %a, i32 %b, float %c) {
  %r = call { float, float } asm sideeffect "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0, $1}, [$2];", "=f,=f,r,~{memory}"(i32 %a)
  ret { float, float } %r
}
; CHECK-LABEL: @video(
; CHECK: call i32 @llvm.abs.i32(
; CHECK: add i32 5,
define i32 @video(i32 %x, i32 %y) {
  %r = call i32 asm "vabsdiff4.u32.u32.u32.add $0, $1, $2, 5;", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}
; CHECK-LABEL: @loop(
; CHECK: br label %[[L:.*]]
; CHECK: [[L]]:
; CHECK: br label %[[L]]
define void @loop() {
  call void asm sideeffect "L_${:uid}: bra.uni L_${:uid};", ""()
  ret void
}
