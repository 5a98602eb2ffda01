// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts and settings of kernels, shared by functions, kernels of libraries, launch and occupancy.
#pragma once

#include "abi/kernel.h"
#include "base/result.h"
#include "drivers/cpu/module/module.h"

#include <cuda.h>

namespace hel::cpu {

/// Registers that every kernel is said to use: few enough never to be what limits a launch.
inline constexpr int kRegistersPerThread = 32;

Result<int> function_attribute(const abi::KernelInfo &info, const FunctionSettings &settings,
                               CUfunction_attribute which);
Result<void> apply_function_attribute(const abi::KernelInfo &info, FunctionSettings &settings,
                                      CUfunction_attribute which, int value);
Result<void> check_cache_config(CUfunc_cache config);
Result<void> param_info(const abi::KernelInfo &info, size_t index, size_t *offset, size_t *size);

unsigned max_threads_of(const abi::KernelInfo &info);
unsigned dynamic_shared_limit_of(const abi::KernelInfo &info, const FunctionSettings &settings);
/// Blocks of a kernel that a multiprocessor holds at once; 0 if it cannot hold one.
int blocks_per_multiprocessor(const abi::KernelInfo &info, unsigned threads, size_t dynamic_shared);

}  // namespace hel::cpu
