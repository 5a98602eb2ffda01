// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How Helicon's sides check their calls: a benchmark that fails ends at once.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace hel::bench {

inline void check(cudaError_t status, const char *what) {
  if (status != cudaSuccess) {
    fprintf(stderr, "bench: %s: %s\n", what, cudaGetErrorString(status));
    exit(1);
  }
}

/// Waits for the kernels that were launched.
inline void finish() {
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

}  // namespace hel::bench
