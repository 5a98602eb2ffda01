// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 16-bit floating-point type for MUSA programs: the same type and functions.
#ifndef __MUSA_FP16_H__
#define __MUSA_FP16_H__

#include "cuda_fp16.h"

#endif
