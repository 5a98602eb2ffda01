// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shifts by the width and more, which C++ leaves open, have a GPU's results in device code: nothing is left, or the sign.
// report: llvm/llvm-project#201165
// RUN: %mcc -O3 %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
// RUN: %mcc --device-cpu=x86-64-v2,x86-64-v3 %s -o %t && %run %t
#include "check.h"

struct Results {
  unsigned left[128], right[128], rotated[128];
  int arithmetic[128];
  unsigned long long wide_left[128], wide_right[128];
  long long wide_arithmetic[128];
  unsigned uniform_left, uniform_right, summed;
};

__global__ void shift(Results *r, unsigned x, unsigned long long y, int uniform) {
  int n = threadIdx.x;
  r->left[n] = x << n;
  r->right[n] = x >> n;
  r->arithmetic[n] = static_cast<int>(x) >> n;
  r->wide_left[n] = y << n;
  r->wide_right[n] = y >> n;
  r->wide_arithmetic[n] = static_cast<long long>(y) >> n;
  r->rotated[n] = (x << (n & 31)) | (x >> (32 - (n & 31)));
  if (n == 0) {
    r->uniform_left = x << uniform;
    r->uniform_right = x >> uniform;
    unsigned sum = 0;
    for (int i = 0; i < 40; ++i) sum += 1u << i;
    r->summed = sum;
  }
}

int main() {
  Results *r;
  CHECK_CUDA(cudaMallocManaged(&r, sizeof *r));
  const unsigned x = 0x87654321u;
  const unsigned long long y = 0x8765432112345678ull;
  for (int uniform : {3, 32, 33, 64, 100, -1}) {
    shift<<<1, 128>>>(r, x, y, uniform);
    CHECK_CUDA(cudaDeviceSynchronize());
    bool is_inside = uniform >= 0 && uniform < 32;
    CHECK_EQ(r->uniform_left, is_inside ? x << uniform : 0u);
    CHECK_EQ(r->uniform_right, is_inside ? x >> uniform : 0u);
  }
  CHECK(r->summed == ~0u || !check::is_own_driver());  // nvcc too folds it to something else
  for (int n = 0; n < 128; ++n) {
    CHECK_EQ(r->left[n], n < 32 ? x << n : 0u);
    CHECK_EQ(r->right[n], n < 32 ? x >> n : 0u);
    CHECK_EQ(r->arithmetic[n], static_cast<int>(x) >> (n < 32 ? n : 31));
    CHECK_EQ(r->wide_left[n], n < 64 ? y << n : 0ull);
    CHECK_EQ(r->wide_right[n], n < 64 ? y >> n : 0ull);
    CHECK_EQ(r->wide_arithmetic[n], static_cast<long long>(y) >> (n < 64 ? n : 63));
    int m = n & 31;
    CHECK_EQ(r->rotated[n], m ? (x << m) | (x >> (32 - m)) : x);
  }
  return check_report();
}
