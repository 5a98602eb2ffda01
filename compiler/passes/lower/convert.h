// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions with the results that PTX's cvt fixes.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace hel::cc {

/// Floating point to integer, towards zero, clamped: what `cvt.rzi` gives, also for NaN. Integers below 32 bits are
/// made from 32-bit ones by truncation, as compilers for the device do.
llvm::Value *emit_float_to_int(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Type *type, bool is_signed);

}  // namespace hel::cc
