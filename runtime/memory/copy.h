// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files that copy share.
#pragma once

#include "base/result.h"
#include "helicon/gen/driver_table.h"

#include <driver_types.h>

namespace hel::rt {

/// Fails with cudaErrorInvalidMemcpyDirection unless `kind` is one of the five directions.
Result<void> check_direction(cudaMemcpyKind kind);

/// A copy of up to three dimensions in the driver's form.
Result<CUDA_MEMCPY3D> driver_copy(const DriverTable &cu, const cudaMemcpy3DParms *params);

/// The part of a variable that a copy writes or reads.
Result<void *> symbol_target(const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind);
Result<void *> symbol_source(const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind);

/// Bytes of an element of an array, and of a row; a null array has elements of one byte.
Result<size_t> array_element_bytes(const DriverTable &cu, cudaArray_const_t array);
Result<size_t> array_row_bytes(const DriverTable &cu, cudaArray_const_t array);

}  // namespace hel::rt
