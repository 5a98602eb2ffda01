; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Anything else is refused with its text and its function.
; RUN: not %helicon-opt -stages=lower_inline_asm %s 2>&1 | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: error: inline PTX is not supported here yet: "fancy.op $0, $1" (in 'twice(int)')
define i32 @_Z5twicei(i32 %x) {
  %r = call i32 asm "fancy.op $0, $1;", "=r,r"(i32 %x)
  ret i32 %r
}
