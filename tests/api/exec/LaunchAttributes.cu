// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of cudaLaunchKernelEx: each known one acts or is accepted, an unknown one is refused and nothing runs.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-3.1.1-01
#include <cuda_runtime.h>

#include "check.h"

__global__ void count(int *threads) { atomicAdd(threads, 1); }

static int *threads = nullptr;
static int expected = 0;

static cudaError_t launch(const cudaLaunchAttribute *attributes, unsigned how_many, cudaStream_t stream = 0) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 8;
  config.stream = stream;
  config.attrs = const_cast<cudaLaunchAttribute *>(attributes);
  config.numAttrs = how_many;
  return cudaLaunchKernelEx(&config, count, threads);
}

static void expect_runs(const cudaLaunchAttribute &attribute) {
  CHECK_CUDA(launch(&attribute, 1));
  expected += 32;
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*threads, expected);
}

static void expect_refused(const cudaLaunchAttribute &attribute, cudaError_t why) {
  CHECK_ERROR(launch(&attribute, 1), why);
  CHECK_EQ(cudaGetLastError(), why);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*threads, expected);
}

static cudaLaunchAttribute attribute(cudaLaunchAttributeID id) {
  cudaLaunchAttribute made = {};
  made.id = id;
  return made;
}

static void set_cluster(cudaLaunchAttribute &a, unsigned x) {
  a.val.clusterDim.x = x;
  a.val.clusterDim.y = a.val.clusterDim.z = 1;
}

int main() {
  REQUIRE_CUDA(cudaMallocManaged(&threads, sizeof *threads));
  *threads = 0;
  cudaLaunchAttribute a = attribute(cudaLaunchAttributeIgnore);
  expect_runs(a);
  a = attribute(cudaLaunchAttributeCooperative);
  a.val.cooperative = 1;
  expect_runs(a);
  a = attribute(cudaLaunchAttributePriority);
  a.val.priority = -3;
  expect_runs(a);
  a = attribute(cudaLaunchAttributeProgrammaticStreamSerialization);
  a.val.programmaticStreamSerializationAllowed = 1;
  expect_runs(a);
  a = attribute(cudaLaunchAttributeAccessPolicyWindow);
  a.val.accessPolicyWindow = {threads, 4, 1.0f, cudaAccessPropertyPersisting, cudaAccessPropertyNormal};
  expect_runs(a);
  a.val.accessPolicyWindow.hitRatio = -1;
  expect_refused(a, cudaErrorInvalidValue);
  a = attribute(cudaLaunchAttributeSynchronizationPolicy);  // of streams only
  a.val.syncPolicy = cudaSyncPolicyYield;
  expect_refused(a, cudaErrorInvalidValue);
  a = attribute(cudaLaunchAttributeMemSyncDomain);
  a.val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  expect_runs(a);
  a.val.memSyncDomain = (cudaLaunchMemSyncDomain)5;
  expect_refused(a, cudaErrorInvalidValue);
  a = attribute(cudaLaunchAttributeClusterDimension);
  set_cluster(a, 2);
  expect_runs(a);
  set_cluster(a, 3);  // does not divide the grid
  expect_refused(a, cudaErrorInvalidClusterSize);
  set_cluster(a, 0);
  expect_refused(a, cudaErrorInvalidClusterSize);
  expect_refused(attribute((cudaLaunchAttributeID)4711), cudaErrorInvalidValue);
  CHECK_ERROR(launch(nullptr, 1), cudaErrorInvalidValue);

  // Both events that a launch may record.
  cudaEvent_t early = nullptr, late = nullptr;
  REQUIRE_CUDA(cudaEventCreateWithFlags(&early, cudaEventDisableTiming));
  REQUIRE_CUDA(cudaEventCreateWithFlags(&late, cudaEventDisableTiming));
  cudaStream_t stream = nullptr;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaLaunchAttribute both[2] = {attribute(cudaLaunchAttributeProgrammaticEvent),
                                 attribute(cudaLaunchAttributeLaunchCompletionEvent)};
  both[0].val.programmaticEvent.event = early;
  both[1].val.launchCompletionEvent.event = late;
  volatile int *go = nullptr;
  REQUIRE_CUDA(cudaMallocHost((void **)&go, sizeof *go));
  *go = 0;
  CHECK_CUDA(cudaLaunchHostFunc(
      stream,
      [](void *flag) {
        while (*(volatile int *)flag == 0) {
        }
      },
      (void *)go));
  CHECK_CUDA(launch(both, 2, stream));
  expected += 32;
  CHECK_ERROR(cudaEventQuery(early), cudaErrorNotReady);
  CHECK_ERROR(cudaEventQuery(late), cudaErrorNotReady);
  *go = 1;
  CHECK_CUDA(cudaEventSynchronize(early));
  CHECK_CUDA(cudaEventSynchronize(late));
  CHECK_EQ(*threads, expected);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFreeHost((void *)go));
  CHECK_CUDA(cudaFree(threads));
  return check_report();
}
