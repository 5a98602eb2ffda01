// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills past the caches, for amounts that no cache holds: what is only written need not be read first.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hel::cpu {

/// memcpy; the places do not overlap. Visible to others like any store when it returns.
void stream_copy(uint8_t *target, const uint8_t *source, size_t bytes);

}  // namespace hel::cpu
