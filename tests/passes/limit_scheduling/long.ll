; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Code that runs straight on for long (each vector takes 128 registers here) is tuned for its level in general.
; RUN: %helicon-opt -stages=limit_scheduling %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-LABEL: define void @long(ptr %p) #0
define void @long(ptr %p) #0 {
  %v0 = load <1024 x double>, ptr %p
  %v1 = fmul <1024 x double> %v0, %v0
  %v2 = fmul <1024 x double> %v1, %v0
  %v3 = fmul <1024 x double> %v2, %v0
  %v4 = fmul <1024 x double> %v3, %v0
  %v5 = fmul <1024 x double> %v4, %v0
  %v6 = fmul <1024 x double> %v5, %v0
  %v7 = fmul <1024 x double> %v6, %v0
  %v8 = fmul <1024 x double> %v7, %v0
  %v9 = fmul <1024 x double> %v8, %v0
  %v10 = fmul <1024 x double> %v9, %v0
  %v11 = fmul <1024 x double> %v10, %v0
  %v12 = fmul <1024 x double> %v11, %v0
  store <1024 x double> %v12, ptr %p
  ret void
}
; CHECK-LABEL: define void @short(ptr %p) #1
define void @short(ptr %p) #0 {
  ret void
}
; CHECK: attributes #0 = { "target-cpu"="x86-64-v4" }
; CHECK: attributes #1 = { "target-cpu"="x86-64-v4" "tune-cpu"="znver5" }
attributes #0 = { "target-cpu"="x86-64-v4" "tune-cpu"="znver5" }
