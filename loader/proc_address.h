// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's functions by name. The answer is always the exported entry point, never a driver's own function, so
// that calls through it pass the trace and the layers too.
#pragma once

#include <cuda.h>

namespace hel::loader {

/// cuGetProcAddress.
CUresult get_proc_address(const char *symbol, void **pfn, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status);

/// cuGetProcAddress as it was before there was a status.
CUresult get_proc_address_v1(const char *symbol, void **pfn, int version, cuuint64_t flags);

}  // namespace hel::loader
