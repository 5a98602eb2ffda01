// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where OpenCL's headers are not installed there are no OpenCL sides, and nothing asks for their memory.
#include <cstdlib>

#include "bench/harness/row.h"

namespace hel::bench {

namespace opencl {
bool available() { return false; }
}  // namespace opencl

const Place &opencl_place() { abort(); }

}  // namespace hel::bench
