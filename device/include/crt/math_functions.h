// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place where older code looks for `math_functions.h`.
#include "../math_functions.h"
