// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widen_kernel: writes the warp-engine function of a kernel.
//
// before:  ptx_kernel void k(ptr p, i32 n)                       what one thread does
// after:   void k.block(ptr launch, ptr block, i32 begin, i32 end)   what the warps [begin, end) of a block do, and of
//                                                                   those behind it that are to run in the same call,
//          beside k, which stays as it was
//
// On entry: one kernel in SIMT IR with everything inlined that can be, in SSA form. Shared variables may already be
// offsets into the block's window.
// On exit: k.block holds no llvm.nvvm.* and no address space but those that k's values had.
// Follows Karrenberg and Hack, "Whole-function vectorization" (CGO 2011) and Moll and Hack (PLDI 2018).
#pragma once

#include <string>

namespace llvm {
class Function;
}

namespace hel::cc {

struct Widened {
  llvm::Function *block = nullptr;  ///< null: refused
  bool uses_barrier = false;        ///< each warp needs an execution context of its own
  bool bodies_left_out = false;     ///< there is much code: some block shapes run code that is made for any shape,
  bool one_row = false;             ///< or have none but the thread engine's (abi::kKernelOneRow)
  bool whole_rows = false;          ///< those of several rows of whole warps have it too (abi::kKernelWholeRows)
  bool whole_warps = false;         ///< only those of whole warps have it (abi::kKernelWholeWarps)
  bool too_large = false;
  std::string refusal;       ///< why the kernel is left to the thread engine
  std::string rows_refusal;  ///< why blocks with warps of several rows are, or those with one that lacks lanes
};

/// `share`: how much of what may be spent on a module may be spent on this kernel, between 0 and 1.
Widened widen_kernel(llvm::Function &kernel, double share);

}  // namespace hel::cc
