; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Constant variables of the device get writable memory; constants of the code do not.
; RUN: %helicon-opt -stages=make_constants_writable %s | %FileCheck %s
; REQUIRES: helicon-opt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @coef = global i32 1, section "hl_constant"
; CHECK: @text = private constant
@coef = constant i32 1, align 4 #0
@text = private constant [2 x i8] c"a\00"
attributes #0 = { "hl.variable"="constant" }
