; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One thread of many is singled out: warps whose indices all lie elsewhere see that from the first one, and run on together.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @one.flat.rows.full(
; CHECK:       entry:
; CHECK:         br i1 false, label %entry.all
; CHECK:         %[[FAR:.*]] = sub i32 %{{.*}}, %tid.x
; CHECK-NEXT:    %[[NONE:.*]] = icmp ugt i32 %[[FAR]], 31
; CHECK-NEXT:    br i1 %[[NONE]], label %entry.none
define ptx_kernel void @one(ptr %p, i32 %n) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp eq i32 %i, %n
  br i1 %is, label %work, label %done
work:
  store i32 %n, ptr %p, align 4
  br label %done
done:
  ret void
}
