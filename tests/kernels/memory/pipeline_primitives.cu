// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primitives of pipelines and of barriers in shared memory: copies of every size with and without zero fill, batches,
// phases by token and by parity, threads that leave a barrier, and a producer and a consumer with two buffers.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.6.1-01 C-5.6.2-01
#include "check.h"

#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

// Thread t's 16 bytes: size, then how many of its bytes are zero-filled.
template <int kSize> __global__ void copies(unsigned char *out, const unsigned char *in) {
  __shared__ __align__(16) unsigned char box[32 * 16];
  int t = threadIdx.x;
  for (int i = 0; i < 16; ++i) box[16 * t + i] = 0xee;
  size_t zero = t % (kSize + 1);
  __pipeline_memcpy_async(box + 16 * t, in + 16 * t, kSize, zero);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 16; ++i) out[16 * t + i] = box[16 * t + i];
}

template <int kSize> void test_copies(unsigned char *out, unsigned char *in) {
  for (int i = 0; i < 512; ++i) in[i] = static_cast<unsigned char>(i * 7 + 1);
  copies<kSize><<<1, 32>>>(out, in);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 512; ++i) {
    int t = i / 16, at = i % 16, present = kSize - t % (kSize + 1);
    CHECK_EQ(int(out[i]), at >= kSize ? 0xee : at < present ? in[i] : 0);
  }
}

// Each batch is read when it is complete, the next ones being under way.
__global__ void batches(float *out, const float *in, int n) {
  __shared__ float box[4][64];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    __pipeline_memcpy_async(&box[i][t], in + 64 * i + t, sizeof(float));
    __pipeline_commit();
  }
  for (int i = 0; i < n; ++i) {
    if (i + 3 < n) __pipeline_memcpy_async(&box[(i + 3) % 4][t], in + 64 * (i + 3) + t, sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(3);
    __syncthreads();
    sum += box[i % 4][63 - t] * (i + 1);
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void phases(unsigned *wrong, bool by_parity) {
  __shared__ __mbarrier_t barrier;
  __shared__ unsigned box[96];
  unsigned t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  for (unsigned round = 0; round < 6; ++round) {
    box[t] = t * 10 + round;
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    if (by_parity) {
      while (!__mbarrier_try_wait_parity(&barrier, round & 1, 1000)) {}
      if (!__mbarrier_test_wait_parity(&barrier, round & 1)) atomicAdd(wrong, 1u);
    } else {
      while (!__mbarrier_try_wait(&barrier, token, 1000)) {}
      if (!__mbarrier_test_wait(&barrier, token)) atomicAdd(wrong, 1u);
    }
    unsigned other = (t + 40) % blockDim.x;
    if (box[other] != other * 10 + round) atomicAdd(wrong, 1u);
    __syncthreads();
  }
  if (t == 0) __mbarrier_inval(&barrier);
}

// One thread arrives alone: the phase is not complete; the tokens tell how many are missing. Then half of the threads drop.
__global__ void counts(unsigned *out) {
  __shared__ __mbarrier_t barrier;
  unsigned t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&barrier, 4);
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    out[0] = __mbarrier_token_pending_count(token);
    out[1] = __mbarrier_test_wait(&barrier, token);
    __mbarrier_arrive_and_drop(&barrier);
    __mbarrier_arrive_and_drop(&barrier);
    out[2] = __mbarrier_test_wait_parity(&barrier, 0);
    __mbarrier_arrive(&barrier);
    out[3] = __mbarrier_test_wait(&barrier, token);
    token = __mbarrier_arrive(&barrier);  // two remain
    out[4] = __mbarrier_token_pending_count(token);
    __mbarrier_arrive(&barrier);
    out[5] = __mbarrier_test_wait_parity(&barrier, 1);
    out[6] = __mbarrier_maximum_count() >= 1024;
  }
}

// Warp 0 fills two buffers in turn, warp 1 empties them.
__global__ void produce_and_consume(int *out, int rounds) {
  __shared__ __mbarrier_t ready[2], filled[2];
  __shared__ int box[2][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x < 2) {
    __mbarrier_init(&ready[threadIdx.x], 64);
    __mbarrier_init(&filled[threadIdx.x], 64);
  }
  __syncthreads();
  if (warp == 0) {
    for (int i = 0; i < rounds; ++i) {
      __mbarrier_token_t token = __mbarrier_arrive(&ready[i % 2]);
      while (!__mbarrier_try_wait(&ready[i % 2], token, 1000)) {}
      box[i % 2][lane] = i * 100 + lane;
      __mbarrier_arrive(&filled[i % 2]);
    }
  } else {
    __mbarrier_arrive(&ready[0]);
    __mbarrier_arrive(&ready[1]);
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
      __mbarrier_token_t token = __mbarrier_arrive(&filled[i % 2]);
      while (!__mbarrier_try_wait(&filled[i % 2], token, 1000)) {}
      sum += box[i % 2][31 - lane];
      __mbarrier_arrive(&ready[i % 2]);
    }
    out[lane] = sum;
  }
}

// The barrier is complete only when the copies are.
__global__ void copies_arrive(int *out, const int *in) {
  __shared__ __mbarrier_t barrier;
  __shared__ int box[64];
  int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, 64);
  __syncthreads();
  __pipeline_memcpy_async(&box[t], in + t, 4);
  __pipeline_arrive_on(&barrier);
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_try_wait(&barrier, token, 1000)) {}
  out[t] = box[63 - t];
}

int main() {
  unsigned char *out, *in;
  CHECK_CUDA(cudaMallocManaged(&out, 4096));
  CHECK_CUDA(cudaMallocManaged(&in, 4096));
  test_copies<4>(out, in);
  test_copies<8>(out, in);
  test_copies<16>(out, in);

  float *numbers = reinterpret_cast<float *>(in), *sums = reinterpret_cast<float *>(out);
  for (int i = 0; i < 640; ++i) numbers[i] = static_cast<float>(i % 37);
  batches<<<1, 64>>>(sums, numbers, 10);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) {
    float want = 0;
    for (int i = 0; i < 10; ++i) want += numbers[64 * i + 63 - t] * (i + 1);
    CHECK_EQ(sums[t], want);
  }

  unsigned *words = reinterpret_cast<unsigned *>(out);
  words[0] = 0;
  for (bool by_parity : {false, true}) {
    phases<<<1, 96>>>(words, by_parity);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(words[0], 0u);
  }

  counts<<<1, 32>>>(words);
  CHECK_CUDA(cudaDeviceSynchronize());
  const unsigned want[] = {4, 0, 0, 1, 2, 1, 1};
  for (int i = 0; i < 7; ++i) CHECK_EQ(words[i], want[i]);

  int *numbers_out = reinterpret_cast<int *>(out), *numbers_in = reinterpret_cast<int *>(in);
  produce_and_consume<<<1, 64>>>(numbers_out, 9);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int lane = 0; lane < 32; ++lane) CHECK_EQ(numbers_out[lane], 36 * 100 + 9 * (31 - lane));

  for (int i = 0; i < 64; ++i) numbers_in[i] = 3 * i + 5;
  copies_arrive<<<1, 64>>>(numbers_out, numbers_in);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) CHECK_EQ(numbers_out[t], numbers_in[63 - t]);
  return check_report();
}
