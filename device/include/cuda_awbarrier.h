// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in shared memory.
#include "cuda_awbarrier_primitives.h"
