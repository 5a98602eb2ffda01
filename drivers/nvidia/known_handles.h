// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels and functions that the vendor's driver has given out. It may not be asked about other pointers, nor about
// one kind as the other; our runtime asks about any that a program launches.
#pragma once

#include <cuda.h>

#include <vector>

namespace hel::nvidia {

/// `owner` is the library or module that takes the handle with it.
void note_handle(CUkernel kernel, const void *owner);
void note_handle(CUfunction function, const void *owner);
bool is_known_handle(CUkernel kernel);
std::vector<CUkernel> known_kernels();
bool is_known_handle(CUfunction function);
void forget_handles_of(const void *owner);

}  // namespace hel::nvidia
