// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++23 in device code: explicit object parameters, subscripts with several indices, `if consteval`, static call operators.
// RUN: %mcc -std=c++23 --expt-relaxed-constexpr %s -o %t && %run %t
// covers: C-5.3.5-01
#include "check.h"

#include <cuda_runtime.h>

#define HD __host__ __device__

struct Grid {
  int cells[3][4];
  HD int &operator[](int row, int column) { return cells[row][column]; }
  HD int operator[](this const Grid &self, int row) { return self.cells[row][0]; }
};
struct Counter {
  int value = 0;
  HD auto &&add(this auto &&self, int x) {
    self.value += x;
    return self;
  }
};
struct Halve {
  HD static int operator()(int x) { return x / 2; }
};
HD constexpr int where() {
  if consteval {
    return 1;
  } else {
    return 2;
  }
}
HD int assumed(int x) {
  [[assume(x > 0)]];
  return x / 2;
}

HD void fill(int *out) {
  Grid grid{};
  grid[1, 2] = 6;
  grid[2, 0] = 8;
  *out++ = grid.cells[1][2] * 10 + grid[2];
  *out++ = Counter{}.add(3).add(4).value;
  *out++ = Halve{}(9);
  constexpr int at_compile_time = where();
  *out++ = at_compile_time * 10 + where();
  auto recursive = [](this auto self, int n) -> int { return n < 2 ? n : self(n - 1) + self(n - 2); };
  *out++ = recursive(12);
  auto fixed = [](int x) static { return x + 1; };
  *out++ = fixed(41);
  *out++ = assumed(11);
  *out++ = sizeof(1uz) + static_cast<int>(sizeof(0z));
  *out++ = auto(3.9f);
  char text[] = "\x{41}\o{102}";
  *out++ = text[0] * 256 + text[1];
}
constexpr int kCount = 10;

__global__ void kernel(int *out) { fill(out + kCount * threadIdx.x); }

int main() {
  int *out, host[kCount];
  CHECK_CUDA(cudaMallocManaged(&out, 32 * kCount * sizeof(int)));
  kernel<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  fill(host);
  const int expected[kCount] = {68, 7, 4, 12, 144, 42, 5, 16, 3, 0x4142};
  for (int i = 0; i < kCount; ++i) {
    CHECK_EQ(host[i], expected[i]);
    CHECK_EQ(out[i], expected[i]);
    CHECK_EQ(out[31 * kCount + i], expected[i]);
  }
  return check_report();
}
