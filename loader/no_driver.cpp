// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/no_driver.h"

#include "loader/same_answer.h"

namespace hel::loader {

const DriverTable &no_driver_table() {
  static const DriverTable table = table_of([] { return CUDA_ERROR_NO_DEVICE; });
  return table;
}

}  // namespace hel::loader
