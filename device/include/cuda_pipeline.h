// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies from global to shared memory.
#include "cuda_pipeline_primitives.h"
