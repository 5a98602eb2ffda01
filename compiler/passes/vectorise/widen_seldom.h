// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the widener writes for accesses that hardly ever happen, as others see it.
#pragma once

namespace llvm {
class CallBase;
}

namespace hel::cc {

/// A call of a function of the module that loads or stores for lanes of a warp: nothing but that.
bool is_access_of_lanes(const llvm::CallBase &call);

}  // namespace hel::cc
