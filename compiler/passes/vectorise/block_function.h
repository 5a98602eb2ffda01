// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of a block: which body each of its warps runs, and the blocks behind it that one call runs too. What is
// the same for all blocks (parameters, divisions by the size of a block) is done once a call. Internal to
// passes/vectorise.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <utility>

namespace llvm {
class CallInst;
class Function;
class FunctionType;
class LLVMContext;
}  // namespace llvm

namespace hel::cc {

/// Arguments of a body: the state of the launch and of the block (abi/block.h), the warp and its lanes, and blockIdx,
/// which is no longer the same when the call goes on with the next block.
///
///   void body(ptr launch, ptr block, i32 warp, i32 lanes, i32 x, i32 y, i32 z)
enum BodyArgument : unsigned { kLaunch, kBlock, kWarp, kLanes, kBlockIndex, kBodyArguments = kBlockIndex + 3 };
llvm::FunctionType *body_type(llvm::LLVMContext &context);

/// What is known of both states wherever they are arguments 0 and 1.
void describe_states(llvm::Function &function);

/// The forms of a kernel, by the shape of its blocks. Several may be one.
struct Bodies {
  llvm::Function *full = nullptr;                                          ///< rows of whole warps, all lanes there
  llvm::Function *some = nullptr;                                          ///< rows of whole warps, or one row
  llvm::Function *general = nullptr;                                       ///< any shape; null: the first two are all
  bool one_row = false;                                                    ///< the first two take but one row
  bool full_in_any_row = false;  ///< `full` does for whole warps of any row; none wait
  llvm::SmallVector<std::pair<unsigned, llvm::Function *>, 2> short_rows;  ///< by the length of a row
};

/// void(): stands where a block has run its warps. None is left behind split_phases.
inline constexpr char kBlockOver[] = "__hl_block_over";

/// Writes `void block(ptr launch, ptr block, i32 begin, i32 end)` for the warps [begin, end), which are some.
llvm::Function *write_block_function(llvm::Function &kernel, const Bodies &bodies);

}  // namespace hel::cc
