; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Other processors, masks that count no lanes, what fills one register, and reads side by side stay as they are.
; RUN: %helicon-opt -stages=read_by_registers %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-NOT: more.lanes

define <32 x float> @other_processor(<32 x ptr> %places, i32 %count) #0 {
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %v = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x float> poison)
  ret <32 x float> %v
}

define <32 x float> @any_lanes(<32 x ptr> %places, <32 x i1> %mask) #1 {
  %v = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x float> poison)
  ret <32 x float> %v
}

define <32 x float> @others_are_kept(<32 x ptr> %places, i32 %count, <32 x float> %others) #1 {
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %v = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x float> %others)
  ret <32 x float> %v
}

define <16 x float> @one_register(<16 x ptr> %places, i16 %count) #1 {
  %rest = shl i16 -1, %count
  %bits = xor i16 %rest, -1
  %mask = bitcast i16 %bits to <16 x i1>
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> %places, <16 x i1> %mask, <16 x float> poison)
  ret <16 x float> %v
}

define <32 x float> @side_by_side(ptr %place, i32 %count) #1 {
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %v = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %place, <32 x i1> %mask, <32 x float> poison)
  ret <32 x float> %v
}

attributes #0 = { "target-cpu"="x86-64-v3" }
attributes #1 = { "target-cpu"="x86-64-v4" }
