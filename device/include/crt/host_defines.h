// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place where older code looks for `host_defines.h`.
#include "../host_defines.h"
