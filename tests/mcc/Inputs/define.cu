// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refers to a function and a variable of use.cu's program.
__device__ int shared_counter = 5;
__device__ int next_value(int x) { return x + shared_counter; }
