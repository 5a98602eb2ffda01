// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/no_driver.h"

#include <cstring>

namespace hel::loader {
namespace {

// Reads no argument, so that under the calling convention of x86-64 it can stand for a function of any parameters.
CUresult no_device() { return CUDA_ERROR_NO_DEVICE; }

DriverTable make_table() {
  using Member = CUresult (*)();
  static_assert(sizeof(DriverTable) % sizeof(Member) == 0, "a table holds function pointers only");
  DriverTable table{};
  for (size_t at = 0; at < sizeof table; at += sizeof(Member)) {
    Member member = no_device;
    std::memcpy(reinterpret_cast<char *>(&table) + at, &member, sizeof member);
  }
  return table;
}

}  // namespace

const DriverTable &no_driver_table() {
  static const DriverTable table = make_table();
  return table;
}

}  // namespace hel::loader
