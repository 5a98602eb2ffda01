// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name that programs include for texture and surface functions; all of it comes with the runtime header.
#include "cuda_runtime.h"
