// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place where older code looks for `common_functions.h`.
#include "../common_functions.h"
