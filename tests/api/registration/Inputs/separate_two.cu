// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other half.
__device__ int twice(int x) { return 2 * x; }
