// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps the number of registers low, which decides how many warps run at a time: a radix sort ran one block where the
// vendor's compiler lets two run.
// RUN: %mcc -ptx %s -o - | %FileCheck %s

// An address of shared memory is one register.
// CHECK-LABEL: .entry shared_address(
// CHECK: st.shared.b32 {{.*}}[%r
// CHECK: ld.shared.b32 {{.*}}[%r
extern "C" __global__ void shared_address(int *out, int turn) {
  __shared__ int line[256];
  line[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = line[(threadIdx.x + turn) % 256];
}

// What shifts find is found again behind the barrier, because the keys stay in registers anyway; as much of it as is too much.
// CHECK-LABEL: .entry digits(
// CHECK: ld.param.b32 [[BIT:%r[0-9]+]], [digits_param_2]
// CHECK-COUNT-40: shr.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, [[BIT]]
// CHECK: bar.sync
// CHECK-COUNT-10: shr.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, [[BIT]]
extern "C" __global__ void digits(const unsigned *in, unsigned *out, int bit) {
  __shared__ unsigned count[256];
  unsigned keys[40];
#pragma unroll
  for (int i = 0; i < 40; ++i) keys[i] = in[i * 256 + threadIdx.x];
#pragma unroll
  for (int i = 0; i < 40; ++i) atomicAdd(&count[keys[i] >> bit & 255], 1);
  __syncthreads();
  if (out != nullptr) {
#pragma unroll
    for (int i = 0; i < 40; ++i) out[count[keys[i] >> bit & 255] + i] = keys[i];
  }
}

// Few values stay where they are.
// CHECK-LABEL: .entry few(
// CHECK: shr.u32
// CHECK-NOT: shr.u32
// CHECK: ret;
extern "C" __global__ void few(const unsigned *in, unsigned *out, int bit) {
  unsigned digit = in[threadIdx.x] >> bit;
  __syncthreads();
  if (out != nullptr) out[digit] = digit;
}

// One index serves all arrays of a loop; an address for each would be two registers for each.
// CHECK-LABEL: .entry arrays(
// CHECK: [[LOOP:\$L__BB[0-9_]+]]:
// CHECK: ld.global
// CHECK-NOT: add.s64 [[POINTER:%rd[0-9]+]], [[POINTER]],
// CHECK: bra [[LOOP]]
extern "C" __global__ void arrays(const float *a, const float *b, const float *c, const float *d, float *out, int n, int step) {
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += step) {
    out[i] = a[i] * b[i] + c[i] * d[i];
  }
}
