// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the arguments of the copy functions to a CopyPlan: which memory, is it big enough, must the caller wait.
#pragma once

#include "base/result.h"
#include "drivers/cpu/memory/bulk.h"

#include <cuda.h>

namespace hel::cpu {

/// Checks that `bytes` at `pointer` exist. True: pageable memory, which is only stable while the caller waits.
/// Host and device share all memory, so that any memory of the process will do wherever the API says host or device.
/// `written`: the memory is going to be changed.
Result<bool> check_memory(uintptr_t pointer, size_t bytes, const char *what, bool written = false);

Result<CopyPlan> plan_copy(uintptr_t target, uintptr_t source, size_t bytes);
Result<CopyPlan> plan_copy_2d(const CUDA_MEMCPY2D &copy);
Result<CopyPlan> plan_copy_3d(const CUDA_MEMCPY3D &copy);

/// Rows of elements of 1, 2 or 4 bytes; `pitch` 0: without gaps.
Result<FillPlan> plan_fill(CUdeviceptr target, size_t pitch, uint32_t value, unsigned value_bytes, size_t width,
                           size_t height);

}  // namespace hel::cpu
