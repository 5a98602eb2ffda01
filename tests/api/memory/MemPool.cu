// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools: what is given out again, in which stream, and when; counters; limits; the end of a pool.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: env HELICON_CPU_DEVICES=2 %run %t
// oracle: no (a GPU reserves memory in larger pieces)
// covers: C-4.3.1-01 C-4.3.1-02 C-4.3.3-01 C-4.3.3-02 C-4.3.4-01 C-4.3.4-02 C-4.3.4-03 C-4.3.5-01
#include <cuda.h>
#include <cuda_runtime.h>

#include "check.h"

constexpr size_t kBytes = 1 << 20;

/// Ends when the host says so.
__global__ void hold(volatile int *go) {
  while (*go == 0) {
  }
}
__global__ void add(int *p, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    p[i] += value;
  }
}

static uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  uint64_t value = ~0ull;
  CHECK_CUDA(cudaMemPoolGetAttribute(pool, which, &value));
  return value;
}
static uint64_t reserved(cudaMemPool_t pool) { return attribute(pool, cudaMemPoolAttrReservedMemCurrent); }
static uint64_t used(cudaMemPool_t pool) { return attribute(pool, cudaMemPoolAttrUsedMemCurrent); }

static cudaMemPool_t make_pool(size_t max_bytes = 0) {
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  props.maxSize = max_bytes;
  cudaMemPool_t pool = nullptr;
  CHECK_CUDA(cudaMemPoolCreate(&pool, &props));
  return pool;
}

/// Memory that is freed in a busy stream is at once that stream's again, but nobody else's.
static void reuse_in_stream_order(int *go) {
  cudaStream_t busy = nullptr, other = nullptr;
  CHECK_CUDA(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaMemPool_t pool = make_pool();
  *go = 0;
  int *first = nullptr, *again = nullptr, *elsewhere = nullptr;
  CHECK_CUDA(cudaMallocAsync(&first, kBytes, pool, busy));
  CHECK_CUDA(cudaMemsetAsync(first, 0, kBytes, busy));
  hold<<<1, 1, 0, busy>>>(go);
  add<<<4, 256, 0, busy>>>(first, kBytes / 4, 5);
  CHECK_CUDA(cudaFreeAsync(first, busy));
  CHECK_ERROR(cudaFreeAsync(first, busy), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMallocAsync(&elsewhere, kBytes, pool, other));
  CHECK(elsewhere != first);
  CHECK_CUDA(cudaMallocAsync(&again, kBytes, pool, busy));
  CHECK_EQ(again, first);
  CHECK_ERROR(cudaStreamQuery(busy), cudaErrorNotReady);  // nothing was waited for
  add<<<4, 256, 0, busy>>>(again, kBytes / 4, 2);
  int last = 0;
  CHECK_EQ(used(pool), 2 * kBytes);
  *go = 1;
  CHECK_CUDA(cudaMemcpyAsync(&last, again + kBytes / 4 - 1, 4, cudaMemcpyDeviceToHost, busy));
  CHECK_CUDA(cudaStreamSynchronize(busy));
  CHECK_EQ(last, 7);
  CHECK_CUDA(cudaFreeAsync(elsewhere, other));
  CHECK_CUDA(cudaFreeAsync(again, busy));
  CHECK_EQ(used(pool), 0u);
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  CHECK_CUDA(cudaStreamDestroy(busy));
  CHECK_CUDA(cudaStreamDestroy(other));
}

/// With the flag off, memory whose use ended long ago still needs a wait before another stream gets it.
static void without_opportunism(int *go) {
  cudaStream_t a = nullptr, b = nullptr;
  CHECK_CUDA(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  cudaMemPool_t pool = make_pool();
  uint64_t keep_all = UINT64_MAX;
  CHECK_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
  for (int allowed : {0, 1}) {
    CHECK_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &allowed));
    int seen = -1;
    CHECK_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &seen));
    CHECK_EQ(seen, allowed);
    int *mine = nullptr, *other = nullptr;
    *go = 0;
    CHECK_CUDA(cudaMallocAsync(&mine, kBytes, pool, a));
    hold<<<1, 1, 0, a>>>(go);
    CHECK_CUDA(cudaFreeAsync(mine, a));
    *go = 1;
    while (cudaStreamQuery(a) == cudaErrorNotReady) {
    }
    CHECK_CUDA(cudaMallocAsync(&other, kBytes, pool, b));
    CHECK_EQ(other == mine, allowed == 1);
    CHECK_CUDA(cudaFreeAsync(other, b));
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemPoolTrimTo(pool, 0));
  }
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  CHECK_CUDA(cudaStreamDestroy(a));
  CHECK_CUDA(cudaStreamDestroy(b));
}

/// A pool keeps what is freed until the program waits, and beyond that up to its threshold.
static void thresholds() {
  int supported = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  CHECK_EQ(supported, 1);
  cudaStream_t stream = nullptr;
  CHECK_CUDA(cudaStreamCreate(&stream));
  cudaEvent_t event = nullptr;
  CHECK_CUDA(cudaEventCreate(&event));
  cudaMemPool_t pool = make_pool();
  CHECK_EQ(attribute(pool, cudaMemPoolAttrReleaseThreshold), 0u);
  for (int way = 0; way < 3; way++) {
    void *p = nullptr;
    CHECK_CUDA(cudaMallocAsync(&p, kBytes, pool, stream));
    CHECK_CUDA(cudaFreeAsync(p, stream));
    CHECK_EQ(reserved(pool), kBytes);
    CHECK_EQ(used(pool), 0u);
    CHECK_CUDA(way == 0 ? cudaStreamSynchronize(stream) : way == 1 ? cudaDeviceSynchronize() : cudaEventRecord(event, stream));
    CHECK_CUDA(way == 2 ? cudaEventSynchronize(event) : cudaSuccess);
    CHECK_EQ(reserved(pool), 0u);
  }
  uint64_t threshold = 3 * kBytes;
  CHECK_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  void *pieces[5];
  for (void *&piece : pieces) {
    CHECK_CUDA(cudaMallocAsync(&piece, kBytes, pool, stream));
  }
  CHECK_EQ(used(pool), 5 * kBytes);
  for (void *piece : pieces) {
    CHECK_CUDA(cudaFreeAsync(piece, stream));
  }
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(reserved(pool), 3 * kBytes);
  CHECK_CUDA(cudaMemPoolTrimTo(pool, kBytes));
  CHECK_EQ(reserved(pool), kBytes);
  CHECK_EQ(attribute(pool, cudaMemPoolAttrReservedMemHigh), 5 * kBytes);
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemHigh), 5 * kBytes);
  uint64_t zero = 0, one = 1;
  CHECK_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  CHECK_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
  CHECK_ERROR(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one), cudaErrorInvalidValue);
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemHigh), 0u);
  CHECK_EQ(attribute(pool, cudaMemPoolAttrReservedMemHigh), kBytes);
  CHECK_CUDA(cudaMallocAsync(&pieces[0], kBytes, pool, stream));
  CHECK_CUDA(cudaFreeAsync(pieces[0], stream));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemHigh), kBytes);
  CHECK_CUDA(cudaMallocAsync(&pieces[0], kBytes, pool, stream));
  CHECK_CUDA(cudaFree(pieces[0]));  // as well
  CHECK_EQ(used(pool), 0u);
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  CHECK_ERROR(cudaMemPoolTrimTo(pool, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMalloc(&pieces[0], kBytes));
  CHECK_CUDA(cudaFreeAsync(pieces[0], stream));
  CHECK_ERROR(cudaFreeAsync(pieces[0], stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaEventDestroy(event));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

/// A pool with a largest size gives up what it keeps before it refuses.
static void largest_size() {
  cudaMemPool_t pool = make_pool(4 * kBytes);
  void *p = nullptr, *q = nullptr;
  CHECK_CUDA(cudaMallocFromPoolAsync(&p, 3 * kBytes, pool, nullptr));
  CHECK_CUDA(cudaFreeAsync(p, nullptr));
  CHECK_CUDA(cudaMallocFromPoolAsync(&p, 2 * kBytes, pool, nullptr));
  CHECK_CUDA(cudaMallocFromPoolAsync(&q, 2 * kBytes, pool, nullptr));
  void *more = &q;
  CHECK_ERROR(cudaMallocFromPoolAsync(&more, 512, pool, nullptr), cudaErrorMemoryAllocation);
  CHECK_EQ(more, (void *)&q);
  CHECK_CUDA(cudaFreeAsync(p, nullptr));
  CHECK_CUDA(cudaFreeAsync(q, nullptr));
  CHECK_CUDA(cudaMemPoolDestroy(pool));
}

/// A pool may be destroyed while its memory is used, and while frees wait.
static void destroyed_early(int *go) {
  size_t free_before = 0, free_after = 0, total = 0;
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemGetInfo(&free_before, &total));
  cudaStream_t stream = nullptr;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaMemPool_t pool = make_pool();
  int *freed = nullptr, *kept = nullptr;
  *go = 0;
  CHECK_CUDA(cudaMallocAsync(&freed, kBytes, pool, stream));
  CHECK_CUDA(cudaMallocAsync(&kept, 2 * kBytes, pool, stream));
  hold<<<1, 1, 0, stream>>>(go);
  CHECK_CUDA(cudaMemsetAsync(freed, 1, kBytes, stream));
  CHECK_CUDA(cudaFreeAsync(freed, stream));
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  CHECK_CUDA(cudaMemsetAsync(kept, 1, 2 * kBytes, stream));
  *go = 1;
  int first = 0;
  CHECK_CUDA(cudaMemcpyAsync(&first, kept, 4, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(first, 0x01010101);
  CHECK_CUDA(cudaFreeAsync(kept, stream));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemGetInfo(&free_after, &total));
  CHECK_EQ(free_after, free_before);
  CHECK_CUDA(cudaStreamDestroy(stream));
}

static void pools_of_a_device() {
  cudaMemPool_t standard = nullptr, now = nullptr, own = make_pool();
  CHECK_CUDA(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECK_CUDA(cudaDeviceGetMemPool(&now, 0));
  CHECK_EQ(now, standard);
  CHECK_CUDA(cudaDeviceSetMemPool(0, own));
  CHECK_CUDA(cudaDeviceGetMemPool(&now, 0));
  CHECK_EQ(now, own);
  void *p = nullptr;
  CHECK_CUDA(cudaMallocAsync(&p, kBytes, 0));
  cudaPointerAttributes known = {};
  CHECK_CUDA(cudaPointerGetAttributes(&known, p));
  CHECK_EQ(known.type, cudaMemoryTypeDevice);
  CHECK_EQ(known.device, 0);
  CHECK_EQ(known.devicePointer, p);
  CUmemoryPool of_pointer = nullptr;
  int ordinal = -1;
  CHECK_CU(cuPointerGetAttribute(&of_pointer, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, (CUdeviceptr)p));
  CHECK_EQ((void *)of_pointer, (void *)own);
  CHECK_CU(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)p));
  CHECK_EQ(ordinal, 0);
  CHECK_EQ(used(own), kBytes);
  CHECK_CUDA(cudaFreeAsync(p, 0));
  CHECK_ERROR(cudaMemPoolDestroy(standard), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemPoolDestroy(own));  // the default one takes its place
  CHECK_CUDA(cudaDeviceGetMemPool(&now, 0));
  CHECK_EQ(now, standard);
  CHECK_CUDA(cudaMallocAsync(&p, kBytes, 0));
  CHECK_CU(cuPointerGetAttribute(&of_pointer, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, (CUdeviceptr)p));
  CHECK_EQ((void *)of_pointer, (void *)standard);
  CHECK_CUDA(cudaFreeAsync(p, 0));
}

/// The device of a stream gives the memory, whichever device is current.
static void device_of_the_stream() {
  int count = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  if (count < 2) {
    return;
  }
  cudaStream_t second = nullptr;
  CHECK_CUDA(cudaSetDevice(1));
  CHECK_CUDA(cudaStreamCreate(&second));
  CHECK_CUDA(cudaSetDevice(0));
  void *p = nullptr;
  CHECK_CUDA(cudaMallocAsync(&p, kBytes, second));
  cudaPointerAttributes known = {};
  CHECK_CUDA(cudaPointerGetAttributes(&known, p));
  CHECK_EQ(known.device, 1);
  CHECK_CUDA(cudaFreeAsync(p, second));
  cudaMemPool_t first_pool = make_pool();
  CHECK_ERROR(cudaDeviceSetMemPool(1, first_pool), cudaErrorInvalidValue);
  cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
  CHECK_CUDA(cudaMemPoolSetAccess(first_pool, &access, 1));
  access.location.id = 0;
  access.flags = cudaMemAccessFlagsProtNone;
  CHECK_ERROR(cudaMemPoolSetAccess(first_pool, &access, 1), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaMemPoolDestroy(first_pool));
  CHECK_CUDA(cudaStreamSynchronize(second));
  CHECK_CUDA(cudaStreamDestroy(second));
}

/// A reset ends the memory of the default pool, and the pool counts it no more.
static void after_a_reset() {
  cudaMemPool_t standard = nullptr;
  CHECK_CUDA(cudaDeviceGetDefaultMemPool(&standard, 0));
  void *p = nullptr, *q = nullptr;
  CHECK_CUDA(cudaMallocAsync(&p, kBytes, 0));
  CHECK_CUDA(cudaMallocAsync(&q, kBytes, 0));
  CHECK_CUDA(cudaFreeAsync(q, 0));
  CHECK_CUDA(cudaDeviceReset());
  CHECK_CUDA(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(used(standard), 0u);
  CHECK_ERROR(cudaFreeAsync(p, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMallocAsync(&p, kBytes, 0));
  CHECK_CUDA(cudaMemset(p, 0, kBytes));
  CHECK_CUDA(cudaFreeAsync(p, 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(reserved(standard), 0u);
}

int main() {
  int *go = nullptr;
  REQUIRE_CUDA(cudaMallocHost(&go, sizeof *go));
  reuse_in_stream_order(go);
  without_opportunism(go);
  thresholds();
  largest_size();
  destroyed_early(go);
  CHECK_CUDA(cudaFreeHost(go));
  pools_of_a_device();
  device_of_the_stream();
  after_a_reset();
  return check_report();
}
