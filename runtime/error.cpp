// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last error of a thread, as the program asks for it.
#include "helicon/gen/runtime_impl.h"
#include "runtime/entry.h"

namespace hel::rt {

cudaError_t get_last_error() { return entry::take_last_error(); }

cudaError_t peek_at_last_error() { return entry::peek_last_error(); }

}  // namespace hel::rt
