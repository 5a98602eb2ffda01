// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that several parts of a program instantiate.
#pragma once
#include <cuda_runtime.h>

template <typename T> __global__ void twice(T *values) { values[threadIdx.x] *= 2; }
