// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does not compile.
__global__ void k(int *p) { *p = undeclared; }
