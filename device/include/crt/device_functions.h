// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place where older code looks for `device_functions.h`.
#include "../device_functions.h"
