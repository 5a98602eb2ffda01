// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which copies and fills wait, and for what: what people had to guess.
// report: API synchronization behavior (CUDA driver API documentation)
// RUN: %mcc -O2 -std=c++17 %s -o %t && %run %t
#include "check.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

constexpr int kCount = 50'000;
constexpr size_t kBytes = kCount * sizeof(int);

static std::atomic<bool> is_open{false};
static void wait_until_open(void *) {
  while (!is_open) {
  }
}
__global__ void add(int *p, int amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) {
    p[i] += amount;
  }
}
static bool all_are(const int *p, int value) { return std::count(p, p + kCount, value) == kCount; }

struct Memory {
  int *first, *second, *pinned, *managed;
  std::vector<int> pageable = std::vector<int>(kCount);
};

/// All of this returns although the default stream is held up: else the test hangs.
static void what_does_not_wait(Memory &m) {
  std::fill_n(m.pinned, kCount, 5);
  is_open = false;
  CHECK_CUDA(cudaLaunchHostFunc(0, wait_until_open, nullptr));
  CHECK_CUDA(cudaMemcpyAsync(m.first, m.pinned, kBytes, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(m.second, m.first, kBytes, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpyAsync(m.first, m.second, kBytes, cudaMemcpyDeviceToDevice));
  add<<<(kCount + 255) / 256, 256>>>(m.first, 2);
  CHECK_CUDA(cudaMemset(m.second, 1, kBytes));
  CHECK_CUDA(cudaMemsetAsync(m.second, 2, kBytes));
  CHECK_CUDA(cudaMemcpyAsync(m.pinned, m.first, kBytes, cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaStreamQuery(0), cudaErrorNotReady);
  CHECK(all_are(m.pinned, 5));
  is_open = true;
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(all_are(m.pinned, 7));
  CHECK_CUDA(cudaMemcpy(m.pageable.data(), m.second, kBytes, cudaMemcpyDeviceToHost));
  CHECK(all_are(m.pageable.data(), 0x02020202));
}

/// What is pageable may be used again when the call returns, in whichever form; a copy to the host is there.
static void pageable_memory(Memory &m) {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 1; round <= 20; round++) {
    std::fill(m.pageable.begin(), m.pageable.end(), round);
    if (round % 2 == 0) {
      CHECK_CUDA(cudaMemcpy(m.first, m.pageable.data(), kBytes, cudaMemcpyHostToDevice));
    } else {
      CHECK_CUDA(cudaMemcpyAsync(m.first, m.pageable.data(), kBytes, cudaMemcpyHostToDevice, stream));
    }
    std::fill(m.pageable.begin(), m.pageable.end(), -1);
    add<<<(kCount + 255) / 256, 256, 0, stream>>>(m.first, 100);
    CHECK_CUDA(cudaMemcpyAsync(m.pageable.data(), m.first, kBytes, cudaMemcpyDeviceToHost, stream));
    CHECK(all_are(m.pageable.data(), 100 + round));
    CHECK_CUDA(cudaMemcpy(m.pageable.data(), m.first, kBytes, cudaMemcpyDeviceToHost));
    CHECK(all_are(m.pageable.data(), 100 + round));
  }
  CHECK_CUDA(cudaStreamDestroy(stream));
}

/// cudaMemcpy of pinned memory waits for what is before it in the default stream, and for itself; so does a fill of memory
/// that the host may look at.
static void what_waits(Memory &m) {
  for (int round = 0; round < 10; round++) {
    CHECK_CUDA(cudaMemset(m.first, 0, kBytes));
    is_open = false;
    CHECK_CUDA(cudaLaunchHostFunc(0, wait_until_open, nullptr));
    add<<<(kCount + 255) / 256, 256>>>(m.first, 3);
    std::thread opens([] { is_open = true; });
    CHECK_CUDA(cudaMemcpy(m.pinned, m.first, kBytes, cudaMemcpyDeviceToHost));
    CHECK(all_are(m.pinned, 3));
    opens.join();
    std::fill_n(m.pinned, kCount, 9);
    CHECK_CUDA(cudaMemcpy(m.first, m.pinned, kBytes, cudaMemcpyHostToDevice));
    std::fill_n(m.pinned, kCount, 8);
    CHECK_CUDA(cudaMemcpy(m.pageable.data(), m.first, kBytes, cudaMemcpyDeviceToHost));
    CHECK(all_are(m.pageable.data(), 9));
    CHECK_CUDA(cudaMemset(m.pinned, round, kBytes));
    CHECK(all_are(m.pinned, round * 0x01010101));
    CHECK_CUDA(cudaMemset(m.managed, round, kBytes));
    CHECK(all_are(m.managed, round * 0x01010101));
  }
}

int main() {
  Memory m;
  REQUIRE_CUDA(cudaMalloc(&m.first, kBytes));
  REQUIRE_CUDA(cudaMalloc(&m.second, kBytes));
  REQUIRE_CUDA(cudaMallocHost(&m.pinned, kBytes));
  REQUIRE_CUDA(cudaMallocManaged(&m.managed, kBytes));
  what_does_not_wait(m);
  pageable_memory(m);
  what_waits(m);
  return check_report();
}
