// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function that stays a call (by a pointer, recursive, noinline) needs of the threads around it, and so whether
// the lanes of a warp may call it one after the other.
#pragma once

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class Module;
}  // namespace llvm

namespace hel::cc {

enum class CalleeKind {
  Alone,         ///< computes, reads and writes memory: any thread could do it
  AsksWhoCalls,  ///< needs to know which thread calls (threadIdx, the services of the engine)
  MeetsOthers,   ///< barriers, warp functions, waiting loops, ends of threads: it and what it calls must run as threads
};

class Callees {
public:
  /// A call through a pointer may reach every function of its type whose address is taken.
  CalleeKind kind_of(llvm::CallBase &call);

private:
  CalleeKind kind_by_pointer(llvm::Module &module, const llvm::FunctionType &type) const;

  llvm::DenseMap<const llvm::FunctionType *, CalleeKind> by_pointer_;
  llvm::DenseMap<const llvm::Function *, CalleeKind> by_name_;
};

}  // namespace hel::cc
