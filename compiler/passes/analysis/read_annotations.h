// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the `annotate("mcc.…", constants…)` attributes of the source into facts on the kernel.
//
// before: @llvm.global.annotations = … { @k, "mcc.cluster_dims", …, { i32 2, i32 1, i32 1 } }
// after:  @k has the function attribute "nvvm.cluster_dim"="2,1,1" (see ir/kernel_facts.h); the list is gone
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> read_annotations(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
