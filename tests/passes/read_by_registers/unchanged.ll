; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Masks whose form is not that of the processor, masks that count no lanes, what fills one register, and reads side by side stay as they are.
; RUN: %helicon-opt -stages=read_by_registers %s | %FileCheck %s
; REQUIRES: helicon-opt

; CHECK-NOT: more.lanes

define <32 x float> @bits_for_vectors(<32 x ptr> %places, i32 %count) #0 {
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %v = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x float> poison)
  ret <32 x float> %v
}

; Lane 31 compared with 0, and so on: not the first lanes.
define <32 x float> @last_lanes(<32 x ptr> %places, i32 %count) #0 {
  %one = insertelement <32 x i32> poison, i32 %count, i64 0
  %all = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer
  %mask = icmp ugt <32 x i32> %all, <i32 31, i32 30, i32 29, i32 28, i32 27, i32 26, i32 25, i32 24, i32 23, i32 22, i32 21, i32 20, i32 19, i32 18, i32 17, i32 16, i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %v = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x float> poison)
  ret <32 x float> %v
}

define <32 x float> @no_gathers(<32 x ptr> %places, i32 %count) #2 {
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
attributes #2 = { "target-cpu"="x86-64-v2" }
