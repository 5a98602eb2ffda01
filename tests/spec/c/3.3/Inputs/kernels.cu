// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module that the driver API tests load.
extern "C" {

__device__ int offset = 100;
__constant__ float factors[8];

__global__ void vector_add(const float *a, const float *b, float *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

__global__ void mixed(char first, float2 second, double third, float4 fourth, int *out) {
  out[0] = first + offset;
  out[1] = (int)(second.x * 10 + second.y);
  out[2] = (int)third;
  out[3] = (int)(fourth.x + fourth.y + fourth.z + fourth.w + factors[3]);
}
}
