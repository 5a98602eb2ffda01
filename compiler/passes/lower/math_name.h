// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of NVVM's arithmetic intrinsics, taken apart: llvm.nvvm.fma.rm.ftz.sat.f is {op fma, rounding rm, ftz, sat, type f}.
#pragma once

#include "compiler/passes/lower/rounded.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace hel::cc {

struct MathName {
  llvm::StringRef op;                      ///< the first word
  llvm::SmallVector<llvm::StringRef> rest; ///< the words that are neither `op` nor one of the modifiers below
  Rounding rounding = Rounding::Nearest;
  bool has_rounding = false;
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  bool satfinite = false;
  bool nan = false;
  bool xorsign = false;
  bool approx = false;

  bool is(llvm::StringRef first, llvm::StringRef second) const { return op == first && !rest.empty() && rest[0] == second; }
};

/// `name` without "llvm.nvvm.".
MathName parse_math_name(llvm::StringRef name);

}  // namespace hel::cc
