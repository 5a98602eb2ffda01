// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of simt_ops.def, by intrinsic.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace llvm {
class CallBase;
class Function;
class Value;
}  // namespace llvm

namespace hel::cc {

enum class Uniform : uint8_t { Thread, Warp, Block, Grid };
enum class Effect : uint8_t { Pure, Reads, Sync, Fence, Ends };
enum class SimtKind : uint8_t { ThreadField, LaunchField, Call, Code };

struct SimtOp {
  llvm::StringRef name;  ///< without "llvm.nvvm."
  SimtKind kind;
  Uniform uniform;
  Effect effect;
  uint32_t offset = 0;        ///< fields: where in the state
  uint32_t bytes = 0;         ///< fields: size
  uint64_t limit = 0;         ///< fields: the value is below it; 0: no bound
  llvm::StringRef function;   ///< calls: of abi/engine.h; code: the emitter
  char result = 'v';          ///< calls: v i l
  llvm::StringRef arguments;  ///< calls
};

/// The row for an intrinsic's declaration, or null.
const SimtOp *find_simt_op(const llvm::Function &declaration);

/// The operand of a warp function that names the lanes which take part; null for other calls.
const llvm::Value *named_lanes(const llvm::CallBase &call);

/// True for functions of abi/engine.h at which a CUDA thread may wait for another one.
bool is_meeting_point(llvm::StringRef engine_function);

/// True for every function that abi/engine.h declares.
bool is_engine_function(llvm::StringRef name);

}  // namespace hel::cc
