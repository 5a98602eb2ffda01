// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that a CUDA or MUSA program may use without an include of its own. Included by cuda_runtime.h and musa_runtime.h
// when the compiler is in CUDA mode; reads the C headers that such programs rely on.
#ifndef __HELICON_DEVICE_RUNTIME_H__
#define __HELICON_DEVICE_RUNTIME_H__

#if defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__)

#include <stddef.h>
#include <time.h>

// CCCL takes a clang compiler's version of CUDA from here; cuda.h says the same.
#if !defined(CUDA_VERSION) && !defined(__MUSACC__)
#define CUDA_VERSION 13000
#endif

#include "helicon/qualifiers.h"
#include "vector_types.h"
#include "vector_functions.h"

#include "helicon/device/bits.h"
#include "helicon/device/math.h"
#include "helicon/device/libc.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdlib.h>
#include <utility>

#include "helicon/device/builtin_variables.h"
#include "helicon/device/synchronization.h"
#include "helicon/device/warp.h"
#include "helicon/device/atomics.h"
#include "helicon/device/nv_atomics.h"
#include "helicon/device/integer.h"
#include "helicon/device/packed.h"
#include "helicon/device/min_max.h"
#include "helicon/device/convert.h"
#include "helicon/device/load_store.h"
#include "helicon/device/rounded_math.h"
#include "helicon/device/host_math.h"
#include "helicon/device/texture.h"
#include "helicon/device/surface.h"

#endif  // CUDA mode
#endif
