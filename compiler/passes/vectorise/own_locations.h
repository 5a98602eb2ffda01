// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class DISubprogram;
class Function;
}  // namespace llvm

namespace hel::cc {

/// Gives a function that was written from a kernel a subprogram of its own, and its instructions locations in that.
void own_locations(llvm::Function &function, const llvm::DISubprogram *kernel);

}  // namespace hel::cc
