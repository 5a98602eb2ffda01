; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Reads of the first so many lanes, and what is made of them, stand once for each register: behind a branch for all but
; the first. What needs all lanes of them finds them put together. What is kept where there are no lanes is chosen by
; registers, too.
; RUN: %helicon-opt -stages=read_by_registers %s | %FileCheck %s
; REQUIRES: helicon-opt

; The indices are read, the places they name, and a product is added, all in halves. The prefetch comes after the first
; half's reads, which so stay where they are.
; CHECK-LABEL: @product(
; CHECK:         %mask = bitcast i32 %bits to <32 x i1>
; CHECK:         %[[BITS:.*]] = bitcast <32 x i1> %mask to i32
; CHECK:         %[[I0:.*]] = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr align 4 %indices, <16 x i1> %{{.*}}, <16 x i32> poison)
; CHECK:         %[[W0:.*]] = sext <16 x i32> %[[I0]] to <16 x i64>
; CHECK:         %[[P0:.*]] = getelementptr float, ptr %x, <16 x i64> %[[W0]]
; CHECK:         %[[X0:.*]] = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %[[P0]],
; CHECK:         %[[M0:.*]] = call nnan <16 x float> @llvm.fma.v16f32(<16 x float> %[[X0]],
; CHECK:         %[[S0:.*]] = select <16 x i1> %{{.*}}, <16 x float> %[[M0]],
; CHECK:         call void @llvm.prefetch.p0
; CHECK:         %[[REST:.*]] = lshr i32 %[[BITS]], 16
; CHECK:         %[[MORE:.*]] = icmp ne i32 %[[REST]], 0
; CHECK:         %[[BEFORE:.*]] = shufflevector <32 x float> %sum, <32 x float> poison, <16 x i32> <i32 16,
; CHECK:         br i1 %[[MORE]], label %more.lanes, label %[[ALL:.*]]
; CHECK:       more.lanes:
; CHECK:         %[[HIGH:.*]] = getelementptr i8, ptr %indices, i64 64
; CHECK:         call <16 x i32> @llvm.masked.load.v16i32.p0(ptr align 4 %[[HIGH]],
; CHECK:         call <16 x float> @llvm.masked.gather.v16f32.v16p0(
; CHECK:         %[[M1:.*]] = call nnan <16 x float> @llvm.fma.v16f32(
; CHECK:         %[[S1:.*]] = select <16 x i1> %{{.*}}, <16 x float> %[[M1]],
; CHECK:         br label %[[ALL]]
; CHECK:       [[ALL]]:
; CHECK:         %[[S:.*]] = phi <16 x float> [ %[[BEFORE]], %entry ], [ %[[S1]], %more.lanes ]
; CHECK:         %[[SUMS:.*]] = shufflevector <16 x float> %[[S0]], <16 x float> %[[S]],
; CHECK:         ret <32 x float> %[[SUMS]]
define <32 x float> @product(ptr %indices, ptr %x, <32 x float> %factor, <32 x float> %sum, i32 %count) #0 {
entry:
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %next = getelementptr i8, ptr %indices, i64 128
  call void @llvm.prefetch.p0(ptr %next, i32 0, i32 3, i32 1)
  %index = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %indices, <32 x i1> %mask, <32 x i32> poison)
  %wide = sext <32 x i32> %index to <32 x i64>
  %places = getelementptr float, ptr %x, <32 x i64> %wide
  %picked = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %places, <32 x i1> %mask, <32 x float> poison)
  %made = call nnan <32 x float> @llvm.fma.v32f32(<32 x float> %picked, <32 x float> %factor, <32 x float> %sum)
  %kept = select <32 x i1> %mask, <32 x float> %made, <32 x float> %sum
  ret <32 x float> %kept
}

; Four registers; what comes after a store is read after it.
; CHECK-LABEL: @doubles(
; CHECK:         lshr i32 %{{.*}}, 8
; CHECK:       more.lanes:
; CHECK:         lshr i32 %{{.*}}, 16
; CHECK:       more.lanes{{[0-9]+}}:
; CHECK:         lshr i32 %{{.*}}, 24
; CHECK:       more.lanes{{[0-9]+}}:
; CHECK:         store i32 0, ptr %to
; CHECK:         masked.gather.v8f64
; CHECK:         lshr i32 %{{.*}}, 8
define <32 x double> @doubles(<32 x ptr> %places, ptr %to, i32 %count) #0 {
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %mask = bitcast i32 %bits to <32 x i1>
  %v = call <32 x double> @llvm.masked.gather.v32f64.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x double> poison)
  store i32 0, ptr %to
  %w = call <32 x double> @llvm.masked.gather.v32f64.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x double> poison)
  %sum = fadd <32 x double> %v, %w
  ret <32 x double> %sum
}

; A mask that counts lanes on one way, and has less of them for another reason.
; CHECK-LABEL: @some_of_them(
; CHECK:         br i1 %{{.*}}, label %more.lanes, label
define <32 x float> @some_of_them(<32 x ptr> %places, i32 %count, <32 x i1> %those, i1 %way) #0 {
entry:
  %rest = shl i32 -1, %count
  %bits = xor i32 %rest, -1
  %first = bitcast i32 %bits to <32 x i1>
  br i1 %way, label %read, label %other

other:
  br label %read

read:
  %there = phi <32 x i1> [ %first, %entry ], [ %those, %other ]
  %mask = select <32 x i1> %there, <32 x i1> %those, <32 x i1> zeroinitializer
  %v = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x float> poison)
  ret <32 x float> %v
}

; Where masks are vectors: registers of 8, of which those that are full are read without a mask, and each block compares
; for itself.
; CHECK-LABEL: @compared(
; CHECK:         %[[ALL:.*]] = icmp uge i32 %count, 8
; CHECK:         br i1 %[[ALL]], label %full, label %not.full
; CHECK:       full:
; CHECK:         %[[V0:.*]] = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 1 %{{.*}}, <8 x i1> splat (i1 true),
; CHECK:         icmp uge i32 %count, 16
; CHECK:       not.full:
; CHECK:         %[[M0:.*]] = icmp ugt <8 x i32> %{{.*}}, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK:         %[[S0:.*]] = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 1 %{{.*}}, <8 x i1> %[[M0]],
; CHECK:         br label %[[AFTER:.*]]
; CHECK:       not.full{{[0-9]+}}:
; CHECK:         icmp ugt i32 %count, 8
; CHECK:         br i1 %{{.*}}, label %some, label %[[AFTER]]
; CHECK:       some:
; CHECK:         icmp ugt <8 x i32> %{{.*}}, <i32 8, i32 9,
; CHECK:         br label %[[AFTER]]
; CHECK:       [[AFTER]]:
; CHECK:         phi <8 x float> [ %[[S0]], %not.full ], [ %[[V0]], %not.full{{[0-9]+}} ], [ %[[V0]], %some ],
define <32 x float> @compared(<32 x ptr> %places, i32 %count) #1 {
  %one = insertelement <32 x i32> poison, i32 %count, i64 0
  %all = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer
  %mask = icmp ugt <32 x i32> %all, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, <32 x i1> %mask, <32 x float> poison)
  ret <32 x float> %v
}

attributes #1 = { "target-cpu"="x86-64-v3" }
attributes #0 = { "target-cpu"="x86-64-v4" }
