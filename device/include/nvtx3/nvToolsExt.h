/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the third version of the interface has its header. */
#include "../nvToolsExt.h"
