// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels and functions that the vendor's driver has given out. It may not be asked about other pointers; our runtime
// asks about any that a program launches.
#pragma once

#include <cuda.h>

namespace hel::nvidia {

/// `owner` is the library or module that takes the handle with it.
void note_handle(const void *handle, const void *owner);
bool is_known_handle(const void *handle);
void forget_handles_of(const void *owner);

}  // namespace hel::nvidia
