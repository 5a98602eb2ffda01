; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variables that only the host refers to stay.
; RUN: %helicon-opt -stages=keep_reachable %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK: @for_host = hidden addrspace(1) externally_initialized global i32 1
; CHECK-NOT: llvm.compiler.used
@for_host = linkonce_odr addrspace(1) externally_initialized global i32 1, align 4
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @for_host to ptr)], section "llvm.metadata"
