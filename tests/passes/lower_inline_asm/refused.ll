; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is not understood is refused with its name, its text and its function; a function that no kernel reaches may say anything.
; RUN: not %helicon-opt -stages=lower_inline_asm %s 2>&1 | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: error: inline PTX: unknown PTX instruction 'fancy.op' in "fancy.op $0, $1;" (in 'twice(int)')
; CHECK: error: inline PTX: the PTX instruction 'add.f16.u32' is not supported in this form in {{.*}} (in 'twice(int)')
; CHECK: error: inline PTX: no register 't' in
; CHECK: error: inline PTX: expected ']' at ';' in
; CHECK: error: inline PTX: no label 'away' in
; CHECK: error: inline PTX: no instruction before this one sets the carry flag (in 'k')
; CHECK-NOT: error
define i32 @_Z5twicei(i32 %x) {
  %a = call i32 asm "fancy.op $0, $1;", "=r,r"(i32 %x)
  %b = call i32 asm "add.f16.u32 $0, $1, 1;", "=r,r"(i32 %x)
  %c = call i32 asm "add.u32 $0, $1, t;", "=r,r"(i32 %x)
  %d = call i32 asm "ld.global.u32 $0, [$1;", "=r,l"(i32 %x)
  call void asm sideeffect "bra away;", ""()
  ret i32 %d
}
define ptx_kernel void @k(ptr %p) {
  %r = call i32 @_Z5twicei(i32 1)
  store i32 %r, ptr %p
  %e = call i32 asm "addc.u32 $0, $1, 0;", "=r,r"(i32 %r)
  store i32 %e, ptr %p
  ret void
}
define i32 @unused(i32 %x) {
  %r = call i32 asm "secret.op $0, $1;", "=r,r"(i32 %x)
  ret i32 %r
}
