// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading abi::ThreadState from compiled code. Until place_thread_state, the running CUDA thread's state is the result
// of a call of the pure function `hl.self`, so that LLVM may move, share and drop it.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace hel::cc {

inline constexpr char kSelfName[] = "hl.self";

/// Emits the pointer to the running thread's ThreadState.
llvm::Value *emit_self(llvm::IRBuilderBase &builder);

/// Emits the load of a field that does not change while the thread lives. `limit` (when not 0): the value is below it.
llvm::Value *emit_field(llvm::IRBuilderBase &builder, size_t offset, llvm::Type *type, const char *name,
                        uint64_t limit = 0);

/// `load` reads where the block's shared memory, or the dynamic part of it, starts.
bool is_shared_window(const llvm::LoadInst &load);

/// Emits the load of a field of ThreadState::launch.
llvm::Value *emit_launch_field(llvm::IRBuilderBase &builder, size_t offset, llvm::Type *type, const char *name);

/// Emits a call of a function of abi/engine.h. It gets the attributes that all of them have.
llvm::CallInst *emit_engine_call(llvm::IRBuilderBase &builder, llvm::StringRef name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Value *> arguments);

}  // namespace hel::cc
