// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between floating-point numbers and integers of more than 64 bits (up to 128), for which LLVM would call a
// function that no GPU has. To floating point they are rounded once, to nearest even; to integers they are cut, and
// what is too large becomes the largest.
//
// before: uitofp i128 %x to double
// after:  the upper 64 of the bits that follow the leading zeros, with a last bit that says whether lower ones are set,
// as a
//         double; times a power of two
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> convert_wide_integers(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
