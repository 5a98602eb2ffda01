// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that has started the driver and forks leaves its child no driver: worker threads, work in flight and locks
// that other threads held are the parent's. The child may start another program.
#pragma once

#include "helicon/gen/driver_table.h"

#include <atomic>

namespace hel::loader {

/// Set once, in the child, before fork returns there.
extern std::atomic<bool> forked_child;

/// True in a child of a process that had started the driver.
inline bool is_forked_child() { return forked_child.load(std::memory_order_relaxed); }

/// Children that are forked from now on are refused.
void watch_forks();

/// Every member answers CUDA_ERROR_NOT_INITIALIZED, but those of `own` that need no cuInit either.
const DriverTable &forked_child_table(const DriverTable &own);

}  // namespace hel::loader
