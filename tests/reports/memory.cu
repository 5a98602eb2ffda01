// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of memory: addresses that are none of the device's, too much of it, managed memory, the heap of
// kernels, copies of pageable memory and copies from several threads.
// report: CHIP-SPV/chipStar#673
// report: CHIP-SPV/chipStar#1186
// report: StackOverflow 31642520 (out of memory is not sticky)
// report: ROCm/hip#13
// report: pytorch/pytorch#76902
// report: ROCm/rocm-systems#6308
// report: Managed memory (CUDA memory management course, EU)
// report: CHIP-SPV/chipStar#1402
// report: ROCm/hip#2350
// report: ROCm/hip#3429
// report: CHIP-SPV/chipStar#815
// RUN: %mcc -O2 -std=c++17 %s -o %t && %run %t
#include "check.h"

#include <stdint.h>
#include <sys/mman.h>

#include <algorithm>
#include <thread>
#include <vector>

__global__ void add_one(int *p, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    p[i] += 1;
  }
}

/// Memory of the host is filled where the device can use all of it (pageableMemoryAccess), else refused; what is no
/// memory at all is always refused.
static void not_the_device_s() {
  int local[4] = {1, 2, 3, 4};
  static int fixed[4] = {5, 6, 7, 8};
  std::vector<int> heap(4, 9);
  int pageable = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
  const cudaError_t expected = pageable == 1 ? cudaSuccess : cudaErrorInvalidValue;
  for (int *p : {local, fixed, heap.data()}) {
    const int before = p[0];
    cudaPointerAttributes attributes;
    memset(&attributes, 0xff, sizeof attributes);
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, p));
    CHECK_EQ(attributes.type, cudaMemoryTypeUnregistered);
    CHECK_ERROR(cudaMemset(p, 1, 4 * sizeof(int)), expected);
    CHECK_ERROR(cudaGetLastError(), expected);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(p[0], pageable == 1 ? 0x01010101 : before);
  }
  void *hole = mmap(nullptr, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(hole != MAP_FAILED && munmap(hole, 1 << 16) == 0);
  for (void *p : {hole, (void *)64}) {
    CHECK_ERROR(cudaMemset(p, 0, 16), cudaErrorInvalidValue);
    CHECK_ERROR(cudaMemsetAsync(p, 0, 16, nullptr), cudaErrorInvalidValue);
    CHECK_ERROR(cudaMemcpy(p, local, 16, cudaMemcpyDefault), cudaErrorInvalidValue);
    CHECK_ERROR(cudaMemcpy(local, p, 16, cudaMemcpyDefault), cudaErrorInvalidValue);
    CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  int *d = nullptr;
  CHECK_CUDA(cudaMalloc(&d, 4 * sizeof(int)));  // the program goes on
  CHECK_CUDA(cudaMemset(d, 0, 4 * sizeof(int)));
  CHECK_CUDA(cudaFree(d));
}

static void too_much() {
  size_t available = 0, total = 0;
  CHECK_CUDA(cudaMemGetInfo(&available, &total));
  void *const untouched = &available;
  for (size_t bytes : {total + 1, 2 * total, size_t{1} << 50, ~size_t{0}}) {
    void *p = untouched;
    CHECK_ERROR(cudaMalloc(&p, bytes), cudaErrorMemoryAllocation);
    CHECK(p == untouched);
    CHECK_ERROR(cudaGetLastError(), cudaErrorMemoryAllocation);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  // Nor does a sum of allocations end the process when it is used up.
  std::vector<void *> taken;
  cudaError_t code = cudaSuccess;
  while (code == cudaSuccess && taken.size() < 64) {
    void *p = nullptr;
    code = cudaMalloc(&p, total / 8);
    if (code == cudaSuccess) {
      taken.push_back(p);
    }
  }
  CHECK_ERROR(code, cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
  CHECK(taken.size() <= 8);
  for (void *p : taken) {
    CHECK_CUDA(cudaFree(p));
  }
  int *d = nullptr;
  CHECK_CUDA(cudaMallocManaged(&d, sizeof(int)));
  *d = 4;
  add_one<<<1, 1>>>(d, 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*d, 5);
  CHECK_CUDA(cudaFree(d));
}

/// In and out of one stream, again and again, without a wait in between.
static void pageable_copies() {
  constexpr int kCount = 100'003;
  std::vector<int> in(kCount), out(kCount);
  int *d = nullptr;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_CUDA(cudaMalloc(&d, kCount * sizeof(int)));
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < kCount; i++) {
      in[i] = i * 7 + round;
    }
    std::fill(out.begin(), out.end(), -1);
    CHECK_CUDA(cudaMemcpyAsync(d, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice, stream));
    CHECK_CUDA(cudaMemcpyAsync(out.data(), d, kCount * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK(in == out);
  }
  CHECK_CUDA(cudaFree(d));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

__managed__ int shared_counter = 3;
__managed__ float shared_table[8];
__global__ void use_managed() {
  shared_counter += 4;
  shared_table[threadIdx.x] = shared_counter + threadIdx.x;
}

static void managed_memory() {
  use_managed<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(shared_counter, 7);
  shared_counter = 20;
  use_managed<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(shared_counter, 24);
  CHECK_EQ(shared_table[0], 24.0f);
  int *p = nullptr;
  constexpr int kCount = 5000;
  CHECK_CUDA(cudaMallocManaged(&p, kCount * sizeof(int)));
  for (int i = 0; i < kCount; i++) {
    p[i] = i;
  }
  for (int round = 0; round < 3; round++) {
    add_one<<<(kCount + 127) / 128, 128>>>(p, kCount);
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < kCount; i++) {
    wrong += p[i] != i + 3;
  }
  CHECK_EQ(wrong, 0);
  CHECK_CUDA(cudaFree(p));
}

struct Particle {
  double x, y;
  int id;
  __device__ Particle(int id) : x(id), y(-id), id(id) {}
};
constexpr int kThreads = 256;

__global__ void make_particles(Particle **made, int **rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  made[i] = new Particle(i);
  rows[i] = new int[i % 7 + 1];
  for (int k = 0; k <= i % 7; k++) {
    rows[i][k] = i * 10 + k;
  }
}
__global__ void read_particles(Particle **made, int **rows, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool good = made[i]->x == i && made[i]->y == -i && made[i]->id == i;
  for (int k = 0; k <= i % 7; k++) {
    good = good && rows[i][k] == i * 10 + k;
  }
  if (!good) {
    atomicAdd(wrong, 1);
  }
}
__global__ void free_particles(Particle **made, int **rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  delete made[i];
  delete[] rows[i];
}
/// Takes pieces until there is none left, then gives them back. Counts both.
__global__ void use_up(size_t piece, int *taken, int *ended) {
  void *last = nullptr;
  for (int i = 0; i < 10000; i++) {
    void **p = (void **)malloc(piece);
    if (p == nullptr) {
      *ended = 1;
      break;
    }
    *p = last;
    last = p;
    ++*taken;
  }
  while (last != nullptr) {
    void *next = *(void **)last;
    free(last);
    last = next;
  }
}

static void heap_of_kernels() {
  size_t limit = 0;
  CHECK_CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK_EQ(limit, size_t{8} << 20);
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  CHECK_CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK_EQ(limit, size_t{16} << 20);

  Particle **made = nullptr;
  int **rows = nullptr, *counts = nullptr;
  CHECK_CUDA(cudaMallocManaged(&made, kThreads * sizeof(Particle *)));
  CHECK_CUDA(cudaMallocManaged(&rows, kThreads * sizeof(int *)));
  CHECK_CUDA(cudaMallocManaged(&counts, 3 * sizeof(int)));
  std::fill(counts, counts + 3, 0);
  make_particles<<<kThreads / 64, 64>>>(made, rows);
  CHECK_CUDA(cudaDeviceSynchronize());
  struct Piece {
    uintptr_t start, end;
  };
  std::vector<Piece> pieces;
  for (int i = 0; i < kThreads; i++) {
    CHECK(made[i] != nullptr && rows[i] != nullptr);
    CHECK_EQ((uintptr_t)made[i] % 16 + (uintptr_t)rows[i] % 16, 0u);
    pieces.push_back({(uintptr_t)made[i], (uintptr_t)(made[i] + 1)});
    pieces.push_back({(uintptr_t)rows[i], (uintptr_t)(rows[i] + i % 7 + 1)});
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) { return a.start < b.start; });
  for (size_t i = 1; i < pieces.size(); i++) {
    CHECK(pieces[i - 1].end <= pieces[i].start);
  }
  read_particles<<<1, kThreads>>>(made, rows, counts);  // they outlive the kernel that made them
  free_particles<<<kThreads / 32, 32>>>(made, rows);    // and are freed by another one
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(counts[0], 0);
  for (int round = 0; round < 2; round++) {  // what was freed can be had again
    counts[1] = counts[2] = 0;
    use_up<<<1, 1>>>(64 << 10, counts + 1, counts + 2);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(counts[2], 1);
    CHECK(counts[1] > 128 && counts[1] <= 256);
  }
  CHECK_ERROR(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK_EQ(limit, size_t{16} << 20);
  CHECK_CUDA(cudaFree(made));
  CHECK_CUDA(cudaFree(rows));
  CHECK_CUDA(cudaFree(counts));
}

static void copies_of_several_threads() {
  constexpr int kCount = 4096, kCopies = 200;
  cudaStream_t shared;
  CHECK_CUDA(cudaStreamCreate(&shared));
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  for (int t = 0; t < 8; t++) {
    threads.emplace_back([&, t] {
      int *d = nullptr;
      CHECK_CUDA(cudaMalloc(&d, kCount * sizeof(int)));
      std::vector<int> in(kCount), out(kCount);
      for (int i = 0; i < kCopies; i++) {
        std::fill(in.begin(), in.end(), t * 1000 + i);
        CHECK_CUDA(cudaMemcpyAsync(d, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice, shared));
        CHECK_CUDA(cudaMemcpyAsync(out.data(), d, kCount * sizeof(int), cudaMemcpyDeviceToHost, shared));
        CHECK_CUDA(cudaStreamSynchronize(shared));
        wrong[t] += in != out;
      }
      CHECK_CUDA(cudaFree(d));
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  CHECK_EQ(std::count(wrong.begin(), wrong.end(), 0), 8);
  CHECK_CUDA(cudaStreamDestroy(shared));
}

int main() {
  not_the_device_s();
  too_much();
  pageable_copies();
  managed_memory();
  heap_of_kernels();
  copies_of_several_threads();
  return check_report();
}
