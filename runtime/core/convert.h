// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the runtime's types to the driver's, which mean the same objects.
#pragma once

#include <cuda.h>
#include <driver_types.h>

#include <cstdint>

namespace hel::rt {

inline CUdeviceptr device_pointer(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

inline CUarray driver_array(cudaArray_const_t array) {
  return reinterpret_cast<CUarray>(const_cast<cudaArray_t>(array));
}

/// cudaMalloc and its kin give out pointers through `void **`, the driver through `CUdeviceptr *`.
inline CUdeviceptr *driver_out(void **pointer) { return reinterpret_cast<CUdeviceptr *>(pointer); }

}  // namespace hel::rt
