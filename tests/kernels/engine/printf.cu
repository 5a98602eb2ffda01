// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf in kernels: formats, return values, order with the host's output. NVIDIA's knows neither %zu nor %.*f.
// RUN: %mcc %s -o %t && %run %t > %t.out
// RUN: %FileCheck --match-full-lines --strict-whitespace %s < %t.out
// covers: C-5.3.7.2-01
#include <stdio.h>

#include "check.h"

__managed__ int results[6];

__global__ void formats() {
  results[0] = printf("plain 100%%\n");
  results[1] = printf("%d|%5d|%-5d|%05d|%+d|% d|%i\n", 1, 2, 3, 4, 5, 6, -7);
  results[2] = printf("%u|%x|%X|%#x|%o|%#o\n", 4000000000u, 255, 255, 255, 8, 8);
  results[3] = printf("%lld|%ld|%llu|%hd|%zu\n", 1ll << 40, -5l, 1ull << 63, short(-3), sizeof(int));
  printf("%f|%.2f|%8.3f|%-8.1f|%e|%g|%G|%a\n", 1.5f, 2.345, 3.14159, 4.0, 12345.678, 0.0001, 1e20, 1.0);
  printf("%s|%10s|%-6s|%.2s|%c%c|%*d|%.*f\n", "text", "right", "left", "cut", 'a', 'b', 6, 42, 3, 2.0);
  printf("%d %f %c %lld %s %d\n", 1, 2.0, 'c', 3ll, "four", 5);
  const char *format = nullptr;
  results[4] = printf(format);
  results[5] = printf("%p\n", reinterpret_cast<void *>(0x1234));
}
//      CHECK:plain 100%
// CHECK-NEXT:1|    2|3    |00004|+5| 6|-7
// CHECK-NEXT:4000000000|ff|FF|0xff|10|010
// CHECK-NEXT:1099511627776|-5|9223372036854775808|-3|{{4|%zu}}
// CHECK-NEXT:1.500000|2.35|   3.142|4.0     |1.234568e+04|0.0001|1E+20|0x1p+0
// CHECK-NEXT:text|     right|left  |cu|ab|    42|{{2[.]000|%[.][*]f}}
// CHECK-NEXT:1 2.000000 c 3 four 5
// CHECK-NEXT:0x1234

__global__ void each_thread() { printf("thread %d\n", threadIdx.x); }
// CHECK-NEXT:before
// CHECK-NEXT:thread 0
// CHECK-NEXT:thread 1
// CHECK-NEXT:thread 2
// CHECK-NEXT:after

__global__ void much(int first, int lines) {
  for (int i = first; i < first + lines; ++i) {
    printf("line %d\n", i);
  }
}
// CHECK-NEXT:line 0
//      CHECK:line 99999

int main() {
  formats<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  const int expected[6] = {0, 7, 6, check::is_own_driver() ? 5 : 4, -1, 1};  // NVIDIA's does not count %zu
  for (int i = 0; i < 6; ++i) {
    CHECK_EQ(results[i], expected[i]);
  }
  printf("before\n");
  each_thread<<<1, 3>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  printf("after\n");
  constexpr int kLines = 100000;  // more than cudaLimitPrintfFifoSize, beyond which others lose lines
  const int each = check::is_own_driver() ? kLines : kLines / 10;
  for (int first = 0; first < kLines; first += each) {
    much<<<1, 1>>>(first, each);
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  return check_report();
}
