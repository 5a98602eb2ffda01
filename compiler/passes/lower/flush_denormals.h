// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -ftz=true: single-precision operations take and give zeros of the same sign in place of denormal values.
//
// before: define … "denormal-fp-math-f32"="preserve-sign,preserve-sign" { fmul float %a, %b }
// after:  flush(fmul float flush(%a), flush(%b)) with flush(x) = |x| < 2^-126 ? copysign(0, x) : x; no attribute
//
// The processor's own mode would flush doubles too, and LLVM must not reason with a mode that the processor is not in.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

/// Metadata of single-precision instructions that keep denormal values whatever -ftz says: inline PTX names each flush.
inline constexpr char kKeepsDenormalsMetadata[] = "hl.keeps_denormals";

Result<void> flush_denormals(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
