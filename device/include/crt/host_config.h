// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place where older code looks for `host_config.h`.
#include "../host_config.h"
