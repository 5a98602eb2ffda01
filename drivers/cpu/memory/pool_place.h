// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places that have memory pools: devices, the host, its NUMA nodes; with pinned or managed memory. Each place has a
// default pool, and one that is used at present.
#pragma once

#include "base/result.h"
#include "drivers/cpu/memory/pool.h"

#include <cuda.h>

namespace hel::cpu {

/// INVALID_VALUE, INVALID_DEVICE: there is no such place.
Result<PoolPlace> find_place(CUmemAllocationType type, const CUmemLocation &location);

Result<Ref<MemPool>> default_pool(const PoolPlace &place);
Result<Ref<MemPool>> current_pool(const PoolPlace &place);
/// The pool of a device may be one of the host.
Result<void> set_current_pool(const PoolPlace &place, const Ref<MemPool> &pool);
/// Default pools are never destroyed.
bool is_default_pool(const MemPool &pool);

}  // namespace hel::cpu
