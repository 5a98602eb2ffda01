// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of programs and of the standard library beside ours: `using namespace std`, own functions with the names of newer
// standards, standard headers after the runtime's, calls of mixed types in device and host code.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %mcc -std=c++20 %s -o %t20 && %run %t20
// RUN: %mcc -std=c++14 %s -o %t14 && %run %t14
// covers: C-5.5.4-01 C-5.3.11-01
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "check.h"

inline __host__ __device__ float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }

namespace program {
using namespace std;

__global__ void run(float *f, double *d, int *i, size_t n) {
  int t = threadIdx.x;
  f[0] = sqrt(f[1]) + pow(f[1], 2.0f) + abs(-f[1]) + max(f[1], 3.0f) + min(f[1], 9.0f) + floor(f[1]) + isnan(f[1]);
  d[0] = sqrt(d[1]) + pow(d[1], 3) + pow(2, t + 2) + abs(-d[1]) + max(d[1], 2.5) + sqrt(16) + hypot(3.0, d[1]);
  i[0] = abs(i[1]) + max(i[1], 3) + min(t, 4) + max(static_cast<int>(n), t);
  pair<int, float> p(1, 2.0f);
  i[2] = p.first + static_cast<int>(make_pair(2, 5).second) + (numeric_limits<int>::max() == 2147483647);
  i[3] = static_cast<int>(std::min<size_t>(n, 7) + std::max(3u, 4u));
  f[2] = ::clamp(f[1] * 10, 0.0f, 1.0f);
}
}  // namespace program

int main() {
  float *f;
  double *d;
  int *i;
  CHECK_CUDA(cudaMallocManaged(&f, 4 * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&d, 4 * sizeof(double)));
  CHECK_CUDA(cudaMallocManaged(&i, 4 * sizeof(int)));
  f[1] = 4;
  d[1] = 4;
  i[1] = -5;
  program::run<<<1, 1>>>(f, d, i, 9);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(f[0], 2.0f + 16 + 4 + 4 + 4 + 4 + 0);
  CHECK_EQ(d[0], 2.0 + 64 + 4 + 4 + 4 + 4 + 5);
  CHECK_EQ(i[0], 5 + 3 + 0 + 9);
  CHECK_EQ(i[2], 1 + 5 + 1);
  CHECK_EQ(i[3], 7 + 4);
  CHECK_EQ(f[2], 1.0f);
  CHECK_EQ(abs(-2.5), 2.5);
  CHECK_EQ(max(1, 2), 2);
  CHECK_EQ(sqrt(4.0f), 2.0f);
  return check_report();
}
