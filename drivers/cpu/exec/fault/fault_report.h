// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words for what ended a grid.
#pragma once

#include <memory>
#include <string>

#include "drivers/cpu/exec/block_run.h"
#include "drivers/cpu/exec/launch.h"
#include "drivers/cpu/exec/worker.h"

namespace hel::cpu::exec {

/// A fault of one thread.
std::unique_ptr<FaultReport> report_fault(const Fault &fault, const Fiber &fiber);
/// A block of which no thread can go on: who waits where.
std::unique_ptr<FaultReport> report_deadlock(const BlockRun &block);
std::unique_ptr<FaultReport> report_grid_deadlock(const Grid &grid, uint64_t waiting, uint64_t ended);
/// The text for a block of which some threads wait at a barrier while the others only spin; empty if it is not like
/// that.
std::string describe_stall(const BlockRun &block, long milliseconds);
std::unique_ptr<FaultReport> report_no_memory(const Grid &grid);

/// Name of the kernel that a grid runs, as in the source.
std::string kernel_title(const Grid &grid);

}  // namespace hel::cpu::exec
