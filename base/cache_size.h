// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the processor's caches hold.
#pragma once

#include <cstddef>

namespace hel {

/// Bytes of the last level of caches before memory, as far as this machine's processors can count on them: others may share it.
/// Who writes more than that, and does not read it again, better goes past it.
size_t last_cache_bytes();

}  // namespace hel
