// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which device and context a thread works with. The runtime makes primary contexts by itself, when a thread first needs
// one; a context that the program made current through the driver API is used as it is.
#pragma once

#include "base/result.h"
#include "helicon/gen/driver_table.h"

#include <driver_types.h>

namespace hel::rt {

/// A driver's code as a Result with the driver's message. CUresult and cudaError_t agree in value.
[[gnu::cold]] Result<void> driver_failure(CUresult code);
inline Result<void> check(CUresult code) { return code == CUDA_SUCCESS ? Result<void>{} : driver_failure(code); }

/// The initialised driver; for calls that need no context.
Result<const DriverTable *> driver();

/// The driver, with a context current on this thread.
Result<const DriverTable *> bound_driver();

/// Fails where freeing memory would: a kernel of the current context has faulted, or a stream is captured.
Result<void> check_alive(const DriverTable &cu);

/// Number of devices; 0 is not a failure.
Result<int> device_count();

/// Fails with cudaErrorInvalidDevice if there is no device `device`, cudaErrorNoDevice if there is none at all.
Result<void> check_device(int device);

/// The device that this thread works with: that of the current context, else the one chosen.
Result<int> current_device();

/// Retains the primary context of `device` for the process (once until it is reset).
Result<CUcontext> primary_context(int device);

/// Chooses `device` for this thread and makes its primary context current.
Result<void> choose_for_thread(int device);

/// Devices to try, in order, when a thread has not chosen one; empty: device 0.
Result<void> set_default_devices(const int *devices, int count);

/// Destroys everything in the primary context of the thread's device; the next call makes a new one.
Result<void> reset_current_device();

/// True when this thread runs the last handlers of a process that exits: modules are left loaded.
bool process_exits();

}  // namespace hel::rt
