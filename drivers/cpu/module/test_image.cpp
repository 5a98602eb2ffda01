// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler would make of a small module, written by hand: kernels, variables and the tables that name them.
// The unit tests load it.
#include "abi/engine.h"
#include "abi/kernel.h"
#include "abi/thread.h"

using namespace hel::abi;

namespace {

int counter = 5;               // __device__ int counter = 5;
int scale[4] = {1, 2, 3};      // __constant__ int scale[4];
int *managed_value = nullptr;  // __managed__ int managed_value = 42;
const int managed_init = 42;

uint32_t global_index() { return __hl_thread->ctaid.x * __hl_thread->ntid.x + __hl_thread->tid.x; }

/// add(int *data, int n, short value): data[i] += value * scale[2]
void add(const void *params) {
  const auto *bytes = static_cast<const uint8_t *>(params);
  int *data = *reinterpret_cast<int *const *>(bytes);
  const int n = *reinterpret_cast<const int *>(bytes + 8);
  const short value = *reinterpret_cast<const short *>(bytes + 12);
  const uint32_t i = global_index();
  if (i < static_cast<uint32_t>(n)) {
    data[i] += value * scale[2];
  }
  if (i == 0) {
    counter++;
    ++*managed_value;
  }
}

/// reverse(int *data): through dynamic shared memory
void reverse(const void *params) {
  int *data = *static_cast<int *const *>(params);
  int *shared = reinterpret_cast<int *>(__hl_thread->dynamic_shared);
  const uint32_t t = __hl_thread->tid.x;
  shared[t] = data[t];
  __hl_barrier(0, 0);
  data[t] = shared[__hl_thread->ntid.x - 1 - t];
}

/// store(int *data): *data = 1
void store(const void *params) { **static_cast<int *volatile *const>(const_cast<void *>(params)) = 1; }

const ParamInfo add_params[] = {{0, 8}, {8, 4}, {12, 2}};
const ParamInfo pointer_param[] = {{0, 8}};

const KernelInfo kernels[] = {
    {"add", add, nullptr, add_params, 3, 14, 0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, nullptr, 0},
    {"reverse",
     reverse,
     nullptr,
     pointer_param,
     1,
     8,
     0,
     0,
     0,
     0,
     {0, 0, 0},
     {0, 0, 0},
     kKernelUsesBarrier | kKernelUsesDynamicShared,
     0,
     nullptr,
     0},
    {"store", store, nullptr, pointer_param, 1, 8, 0, 0, 64, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, nullptr, 0},
};

const VariableInfo variables[] = {
    {"counter", &counter, sizeof counter, 4, VariableKind::Device, nullptr},
    {"scale", scale, sizeof scale, 4, VariableKind::Constant, nullptr},
    {"managed_value", &managed_value, sizeof(int), 4, VariableKind::Managed, &managed_init},
};

}  // namespace

extern "C" __attribute__((visibility("default")))
const ImageInfo __hl_image_info = {kImageInfoVersion, 3, kernels, 3, 0, variables};
