; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One call runs a block and those that follow it: blockIdx is a value of the loop over them, and stands in both states
; for those who ask there. The last warp of a row may lack lanes.
; RUN: %helicon-opt -stages=widen_kernels,split_phases %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()

; CHECK-LABEL: define internal void @k.flat.rows.full(ptr {{[^,]*}}%0, ptr {{[^,]*}}%1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6)
; CHECK:         add {{.*}}i32 %4, %6

; CHECK-LABEL: define hidden void @k.block(
; CHECK:       rows:
; CHECK:         %[[BLOCKS:.*]] = load i32, ptr
; CHECK:       [[LOOP:block.*]]:
; CHECK:         %[[LEFT:.*]] = phi i32 [ %[[BLOCKS]], %rows ], [ %[[FEWER:.*]], %[[NEXT:.*]] ]
; CHECK-NEXT:    %[[X:.*]] = phi i32
; CHECK-NEXT:    %[[Y:.*]] = phi i32
; CHECK-NEXT:    %[[Z:.*]] = phi i32
; CHECK-COUNT-2: store atomic i32 %[[X]], ptr %{{.*}} monotonic
; CHECK-COUNT-2: store atomic i32 %[[Y]], ptr %{{.*}} monotonic
; CHECK-COUNT-2: store atomic i32 %[[Z]], ptr %{{.*}} monotonic
; CHECK:         call void @k.flat.rows.full(ptr {{.*}}, i32 %[[X]], i32 %[[Y]], i32 %[[Z]])
; CHECK:         call void @k.flat.rows(ptr {{.*}}, i32 %[[X]], i32 %[[Y]], i32 %[[Z]])
; CHECK-NOT:     call void
; CHECK:       [[NEXT]]:
; CHECK:         %[[RIGHT:.*]] = add i32 %[[X]], 1
; CHECK-NEXT:    %[[WRAPS:.*]] = icmp eq i32 %[[RIGHT]], %
; CHECK-NEXT:    select i1 %[[WRAPS]], i32 0, i32 %[[RIGHT]]
; CHECK:         br label %[[LOOP]]
; CHECK-NOT:     __hl_block_over
define ptx_kernel void @k(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %sum = add i32 %x, %z
  store i32 %sum, ptr %out, align 4
  ret void
}
