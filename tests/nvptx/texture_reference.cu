// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A texture reference is a variable with an object's number: a program that had one got PTX that no driver takes.
// RUN: %mcc -w -ptx %s -o - | %FileCheck %s
// CHECK-NOT: .texref
// CHECK: .global .align 8 .u64 image;
// CHECK: ld.global.b64 %[[OBJECT:rd[0-9]+]], [image];
// CHECK: tex.2d.v4.u32.f32 {{{.*}}}, [%[[OBJECT]],
texture<float, 2> image;
extern "C" __global__ void k(float *out) { out[threadIdx.x] = tex2D(image, 0.5f, threadIdx.x + 0.5f); }
