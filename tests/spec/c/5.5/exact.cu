// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, differences, products, quotients, reciprocals and roots are the host's, bit for bit: random bit patterns and special values.
// RUN: %mcc -std=c++17 -O3 -fmad=false %s -o %t && %run %t
// RUN: %mcc -std=c++17 -O0 %s -o %t && %run %t
// covers: C-5.5.6-01
#include "check.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

constexpr int kOperations = 6;
template <typename T> __host__ __device__ void operate(T a, T b, T *out) {
  out[0] = a + b;
  out[1] = a - b;
  out[2] = a * b;
  out[3] = a / b;
  out[4] = T(1) / a;
  out[5] = sqrt(a);
}
template <typename T> __global__ void kernel(const T *a, const T *b, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    operate(a[i], b[i], out + i * kOperations);
  }
}

template <typename T, typename Bits> void check_type() {
  typedef std::numeric_limits<T> Limits;
  std::vector<T> special = {T(0), -T(0), T(1), -T(1), T(3), T(1) / 3, Limits::min(), -Limits::min(), Limits::denorm_min(), Limits::max(),
                            Limits::lowest(), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::epsilon(), T(1) + Limits::epsilon(),
                            Limits::min() - Limits::denorm_min()};
  const int count = special.size(), random = 20000, n = count * count + random;
  T *a, *b, *out;
  CHECK_CUDA(cudaMallocManaged(&a, n * sizeof(T)));
  CHECK_CUDA(cudaMallocManaged(&b, n * sizeof(T)));
  CHECK_CUDA(cudaMallocManaged(&out, n * kOperations * sizeof(T)));
  for (int i = 0; i < count * count; ++i) {
    a[i] = special[i / count];
    b[i] = special[i % count];
  }
  uint64_t state = 1234567;
  for (int i = count * count; i < n; ++i) {
    for (T *to : {a + i, b + i}) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      Bits bits = static_cast<Bits>(state >> (64 - 8 * sizeof(Bits)) ^ state >> 17);
      memcpy(to, &bits, sizeof bits);
    }
    if (i % 3 == 0) {
      b[i] = a[i] * T(1.5);  // near each other
    }
  }
  kernel<<<(n + 127) / 128, 128>>>(a, b, out, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  int different = 0;
  for (int i = 0; i < n; ++i) {
    T right[kOperations];
    operate(a[i], b[i], right);
    for (int k = 0; k < kOperations; ++k) {
      bool both_nan = std::isnan(right[k]) && std::isnan(out[i * kOperations + k]);
      if (!both_nan && memcmp(&right[k], &out[i * kOperations + k], sizeof(T)) != 0 && different++ < 5) {
        fprintf(stderr, "operation %d of %a and %a: %a, not %a\n", k, (double)a[i], (double)b[i], (double)out[i * kOperations + k],
                (double)right[k]);
      }
    }
  }
  CHECK_EQ(different, 0);
}

int main() {
  check_type<float, uint32_t>();
  check_type<double, uint64_t>();
  return check_report();
}
