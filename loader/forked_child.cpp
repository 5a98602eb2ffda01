// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/forked_child.h"

#include "loader/same_answer.h"

#include <pthread.h>

namespace hel::loader {

constinit std::atomic<bool> forked_child{false};

void watch_forks() {
  static const int watching =
      pthread_atfork(nullptr, nullptr, [] { forked_child.store(true, std::memory_order_relaxed); });
  (void)watching;
}

const DriverTable &forked_child_table(const DriverTable &own) {
  static const DriverTable table = [&] {
    DriverTable made = table_of([] { return CUDA_ERROR_NOT_INITIALIZED; });
    made.DriverGetVersion = own.DriverGetVersion;
    made.GetErrorName = own.GetErrorName;
    made.GetErrorString = own.GetErrorString;
    return made;
  }();
  return table;
}

}  // namespace hel::loader
