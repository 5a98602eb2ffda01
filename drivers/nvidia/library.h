// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's driver library, libcuda.so.1: found, opened, and told apart from our own library of that name.
#pragma once

#include "base/result.h"

#include <cuda.h>

namespace hel::nvidia {

/// An opened driver library, never closed again.
class DriverLibrary {
public:
  /// HELICON_NVIDIA_LIBRARY, else libcuda.so.1 where the system finds it, else where drivers put it. The failure names
  /// what was tried.
  static Result<DriverLibrary> open();

  /// The function `name` (without a version) of version `since` of the interface; null if there is none. `per_thread`: its
  /// twin for the default stream per thread.
  void *find(const char *name, int since, bool per_thread) const;
  const std::string &path() const { return path_; }

private:
  void *handle_ = nullptr;
  std::string path_;
  CUresult (*get_proc_address_)(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *) = nullptr;
};

}  // namespace hel::nvidia
