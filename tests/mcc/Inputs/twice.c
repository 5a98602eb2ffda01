/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A C file. */
int twice(int x) { return 2 * x; }
