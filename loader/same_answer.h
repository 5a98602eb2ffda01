// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver table whose members all give one answer.
#pragma once

#include "helicon/gen/driver_table.h"

#include <cstring>

namespace hel::loader {

/// `answer` reads no argument, so that under the calling convention of x86-64 it can stand for a function of any parameters.
inline DriverTable table_of(CUresult (*answer)()) {
  static_assert(sizeof(DriverTable) % sizeof answer == 0, "a table holds function pointers only");
  DriverTable table{};
  for (size_t at = 0; at < sizeof table; at += sizeof answer) {
    std::memcpy(reinterpret_cast<char *>(&table) + at, &answer, sizeof answer);
  }
  return table;
}

}  // namespace hel::loader
