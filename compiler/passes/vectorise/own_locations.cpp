// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/own_locations.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/DebugInfo.h"

namespace hel::cc {

using namespace llvm;

namespace {

/// `location` as one of `function`, which it is or was inlined into.
DILocation *move_location(const DILocation *location, DISubprogram *function) {
  LLVMContext &context = function->getContext();
  const DILocation *outer = location->getInlinedAt();
  return outer == nullptr ? DILocation::get(context, location->getLine(), location->getColumn(), function)
                          : DILocation::get(context, location->getLine(), location->getColumn(), location->getScope(),
                                            move_location(outer, function));
}

}  // namespace

void own_locations(Function &function, const DISubprogram *kernel) {
  if (kernel == nullptr) {
    stripDebugInfo(function);
    return;
  }
  DISubprogram *own = MDNode::replaceWithDistinct(kernel->clone());
  own->replaceRetainedNodes(MDTuple::get(function.getContext(), {}));
  function.setSubprogram(own);
  DILocation *start = DILocation::get(function.getContext(), own->getLine(), 0, own);
  for (Instruction &inst : instructions(function)) {
    inst.dropDbgRecords();
    if (const DILocation *location = inst.getDebugLoc()) {
      inst.setDebugLoc(move_location(location, own));
    } else if (isa<CallBase>(inst)) {
      inst.setDebugLoc(start);
    }
  }
}

}  // namespace hel::cc
