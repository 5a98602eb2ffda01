; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Warp functions of all lanes on both sides of a divergent branch become one, after which the lanes go back to their
; sides. Where one side has more of them than the other, lanes may wait for each other anywhere: the thread engine does that.
; RUN: %helicon-opt -stages=widen_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)

; CHECK-LABEL: define internal void @sides.flat.general(
; CHECK:         %[[V:.*]] = select <32 x i1> %{{.*}}, <32 x i32> %{{.*}}, <32 x i32> %
; CHECK:       meeting:
; CHECK:         call <32 x i32> @hl.permute
; CHECK-NOT:     call <32 x i32> @hl.permute
; CHECK:       back
; CHECK:         ret void
define ptx_kernel void @sides(ptr %data) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %data, i32 %x
  %v = load i32, ptr %place, align 4
  %odd = trunc i32 %v to i1
  br i1 %odd, label %yes, label %no
yes:
  %twice = mul i32 %v, 2
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %twice, i32 1, i32 31)
  %aa = add i32 %a, %twice
  br label %end
no:
  %b = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 2, i32 31)
  br label %end
end:
  %r = phi i32 [ %aa, %yes ], [ %b, %no ]
  store i32 %r, ptr %place, align 4
  ret void
}

; Both sides name the same lanes, whichever these are.
; CHECK-LABEL: define internal void @named.flat.general(
; CHECK-COUNT-1: call i32 @llvm.vector.reduce.add.v32i32
; CHECK-NOT:     call i32 @llvm.vector.reduce.add.v32i32
; CHECK:         ret void
define ptx_kernel void @named(ptr %data, i32 %lanes) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %data, i32 %x
  %v = load i32, ptr %place, align 4
  %odd = trunc i32 %v to i1
  br i1 %odd, label %yes, label %no
yes:
  %a = call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 %lanes)
  br label %end
no:
  %b = call i32 @llvm.nvvm.redux.sync.add(i32 1, i32 %lanes)
  br label %end
end:
  %r = phi i32 [ %a, %yes ], [ %b, %no ]
  store i32 %r, ptr %place, align 4
  ret void
}

; Another warp function on the other side; more of them; a loop.
; CHECK-NOT: @unlike.block
; CHECK-NOT: @more.block
; CHECK-NOT: @loop.block
define ptx_kernel void @unlike(ptr %data) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %x to i1
  br i1 %odd, label %yes, label %no
yes:
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 1, i32 31)
  br label %end
no:
  %b = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 2, i32 31)
  br label %end
end:
  %r = phi i32 [ %a, %yes ], [ %b, %no ]
  %all = call i32 @llvm.nvvm.redux.sync.add(i32 %r, i32 -1)
  store i32 %all, ptr %data, align 4
  ret void
}

define ptx_kernel void @more(ptr %data) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %x to i1
  br i1 %odd, label %yes, label %no
yes:
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 1, i32 31)
  %c = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %a, i32 1, i32 31)
  br label %end
no:
  %b = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 2, i32 31)
  br label %end
end:
  %r = phi i32 [ %c, %yes ], [ %b, %no ]
  store i32 %r, ptr %data, align 4
  ret void
}

define ptx_kernel void @loop(ptr %data) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %x to i1
  br i1 %odd, label %yes, label %no
yes:
  %i = phi i32 [ 0, %entry ], [ %next, %yes ]
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 1, i32 31)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %x
  br i1 %more, label %yes, label %end
no:
  %b = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 2, i32 31)
  br label %end
end:
  %r = phi i32 [ %a, %yes ], [ %b, %no ]
  store i32 %r, ptr %data, align 4
  ret void
}
