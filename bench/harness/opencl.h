// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The little of OpenCL that the PoCL sides need: a program from source, and a launch that waits for its end.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <initializer_list>

#include "bench/harness/row.h"

namespace hel::bench::opencl {

/// True if there is a CPU device to run on.
bool available();

/// A buffer as clSetKernelArg wants it.
inline cl_mem buffer(const void *memory) { return static_cast<cl_mem>(const_cast<void *>(memory)); }

class Kernel {
public:
  Kernel(const char *source, const char *name);

  /// Runs with `global` work items in groups of `local`, and waits.
  template <typename... Arguments>
  void run(std::initializer_list<size_t> global, std::initializer_list<size_t> local, const Arguments &...arguments) {
    unsigned index = 0;
    (set(index++, sizeof(arguments), &arguments), ...);
    launch(global, local);
  }

private:
  void set(unsigned index, size_t size, const void *value);
  void launch(std::initializer_list<size_t> global, std::initializer_list<size_t> local);

  cl_kernel kernel_;
};

}  // namespace hel::bench::opencl
