// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic under a chosen rounding mode.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace hel::cc {

enum class Rounding { Nearest, Zero, Down, Up };

enum class RoundedOp { Add, Mul, Div, Fma, Sqrt, Truncate };

/// Emits the operation so that its result is the exact one rounded as asked, and never contracted with a neighbour.
/// `result` is the type of the result (differs from the operands' for Truncate).
llvm::Value *emit_rounded(llvm::IRBuilderBase &builder, RoundedOp op, Rounding mode,
                          llvm::ArrayRef<llvm::Value *> operands, llvm::Type *result);

/// Integer to floating point under a rounding mode.
llvm::Value *emit_rounded_int_to_float(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Type *type,
                                       bool is_signed, Rounding mode);

/// Fused multiply-add of half or bfloat values, rounded once.
llvm::Value *emit_small_fma(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b, llvm::Value *c);

}  // namespace hel::cc
