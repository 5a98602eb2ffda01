; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel is brief (flag 256) when its way is short and known to end: no loop, no copy of unknown length, no waiting.
; RUN: %helicon-opt -stages=describe_kernels %s | %FileCheck %s
; REQUIRES: helicon-opt

declare void @__hl_yield()
declare void @__hl_barrier(i32, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; CHECK: define ptx_kernel void @straight(ptr %p) #[[BRIEF:[0-9]+]]
define ptx_kernel void @straight(ptr %p) {
  store i32 1, ptr %p
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 64, i1 false)
  ret void
}

; CHECK: define ptx_kernel void @loops(ptr %p) #[[LONG:[0-9]+]]
define ptx_kernel void @loops(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK: define ptx_kernel void @fills(ptr %p, i64 %n) #[[LONG]]
define ptx_kernel void @fills(ptr %p, i64 %n) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  ret void
}

; CHECK: define ptx_kernel void @calls_a_loop(ptr %p) #[[LONG]]
define ptx_kernel void @calls_a_loop(ptr %p) {
  call void @callee(ptr %p)
  ret void
}

define void @callee(ptr %p) noinline {
entry:
  br label %loop
loop:
  store volatile i32 0, ptr %p
  %v = load volatile i32, ptr %p
  %more = icmp eq i32 %v, 1
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK: define ptx_kernel void @meets() #[[MEETS:[0-9]+]]
define ptx_kernel void @meets() {
  call void @__hl_barrier(i32 0, i32 0)
  ret void
}

; CHECK-DAG: attributes #[[BRIEF]] = { {{.*}}"hl.flags"="256"
; CHECK-DAG: attributes #[[LONG]] = { {{.*}}"hl.flags"="0"
; CHECK-DAG: attributes #[[MEETS]] = { {{.*}}"hl.flags"="1"
