// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other half: what the kernel calls and reads.
__device__ int base = 1000;
__device__ int twice(int x) { return 2 * x; }
