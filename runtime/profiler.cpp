// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiler's switches.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"

namespace hel::rt {

Result<void> profiler_start() { return check(HEL_TRY(bound_driver())->ProfilerStart()); }

Result<void> profiler_stop() { return check(HEL_TRY(bound_driver())->ProfilerStop()); }

}  // namespace hel::rt
