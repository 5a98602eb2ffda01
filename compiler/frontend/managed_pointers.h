// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A managed variable `x` is a pointer `x` and an initial value `x.managed`. Where a file declares x as `extern`, uses
// it and then defines it, clang makes the pair twice: the value becomes `x.managed.managed`, and a second pointer
// `x.managed`, which alone is registered, stands between them. The pointer that code reads would stay null.
#pragma once

namespace llvm {
class Module;
class PassBuilder;
}  // namespace llvm

namespace hel::cc {

/// Leaves one pointer and one value of each managed variable, registered once.
void join_managed_pointers(llvm::Module &module);

/// The same at the start of the builder's pipeline, for the host's module.
void join_managed_pointers(llvm::PassBuilder &builder);

}  // namespace hel::cc
