// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What memory instructions have in common: order, scope, address space, cache hints.
#pragma once

#include "compiler/ptx/lowering.h"

#include "llvm/Support/AtomicOrdering.h"

namespace hel::cc::ptx {

/// Where an instruction accesses memory, and how strongly.
struct Access {
  unsigned space = 0;  ///< address space of SIMT IR
  llvm::AtomicOrdering order = llvm::AtomicOrdering::NotAtomic;
  bool is_volatile = false;
  bool is_read_only = false;   ///< .nc
  bool keeps_cached = true;    ///< no hint that asks for memory itself (.cg .cv)
  bool has_policy = false;     ///< the last operand is a cache policy
  bool is_legal = true;
};

/// Takes everything but the operation, the vector and the type. Scopes are all one on a machine with coherent caches.
Access take_access(Suffixes &suffixes);

}  // namespace hel::cc::ptx
