// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "separable".
#pragma once
extern __device__ int offset;
__device__ int shifted(int value);
int side_sum(int n);
