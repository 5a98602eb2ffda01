// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device variables are initialised before the program starts.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
__device__ int at_run_time();
// CHECK: dynamic_initialiser.cu:[[@LINE+1]]:{{.*}}error: dynamic initialization is not supported for __device__, __constant__, __shared__, and __managed__ variables
__device__ int value = at_run_time();
