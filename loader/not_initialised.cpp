// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/not_initialised.h"

#include "loader/same_answer.h"

namespace hel::loader {

DriverTable not_initialised_table(const DriverTable &driver) {
  DriverTable table = table_of([] { return CUDA_ERROR_NOT_INITIALIZED; });
  table.Init = driver.Init;
  table.DriverGetVersion = driver.DriverGetVersion;
  table.GetErrorName = driver.GetErrorName;
  table.GetErrorString = driver.GetErrorString;
  table.GetProcAddress = driver.GetProcAddress;
  return table;
}

}  // namespace hel::loader
