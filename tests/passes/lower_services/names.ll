; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; System functions get the engine's names; the fifth argument of __assertfail goes.
; RUN: %helicon-opt -stages=lower_services %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @vprintf(ptr, ptr)
declare ptr @malloc(i64)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @llvm.trap()
declare i32 @__nvvm_reflect(ptr)
@question = private constant [11 x i8] c"__CUDA_FTZ\00"

; CHECK-LABEL: define void @k(
; CHECK-NEXT:    call i32 @__hl_vprintf(ptr %f, ptr null)
; CHECK-NEXT:    call ptr @__hl_malloc(i64 8)
; CHECK-NEXT:    call void @__hl_assert_fail(ptr %f, ptr %f, i32 7, ptr %f) #[[END:[0-9]+]]
; CHECK-NEXT:    call void @__hl_trap() #[[END]]
define void @k(ptr %f) {
  call i32 @vprintf(ptr %f, ptr null)
  call ptr @malloc(i64 8)
  call void @__assertfail(ptr %f, ptr %f, i32 7, ptr %f, i64 1)
  call void @llvm.trap()
  ret void
}

; CHECK-LABEL: define i32 @reflect()
; CHECK-NEXT:    ret i32 1
define i32 @reflect() {
  %r = call i32 @__nvvm_reflect(ptr @question)
  ret i32 %r
}
; CHECK: attributes #[[END]] = { noreturn

!llvm.module.flags = !{!0}
!0 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
