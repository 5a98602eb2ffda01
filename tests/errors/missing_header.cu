// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header that is not there.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:
// CHECK: missing_header.cu:[[@LINE+1]]:{{[0-9]+}}: {{(fatal )?}}error: 'no_such_header.h' file not found
#include "no_such_header.h"
