// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy, memmove, memset, memcmp and the string functions in device code, by their plain and their std:: names.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.3.7.3-01
#include <cstring>

#include "check.h"

struct Big {
  int v[50];
};

__global__ void run(unsigned char *m, int *out, const char *text) {
  memset(m, 0xab, 100);
  std::memset(m + 10, 1, 5);
  for (int i = 0; i < 50; ++i) m[100 + i] = i;
  memcpy(m + 200, m + 100, 50);
  memmove(m + 103, m + 100, 40);  // forwards over itself
  std::memmove(m + 200, m + 205, 40);
  Big a, b;
  for (int i = 0; i < 50; ++i) a.v[i] = i * i;
  std::memcpy(&b, &a, sizeof a);
  out[0] = memcmp(&a, &b, sizeof a);
  b.v[49] -= 1;
  out[1] = memcmp(&a, &b, sizeof a) > 0;
  out[2] = strlen(text);
  char buffer[32];
  strcpy(buffer, text);
  strcat(buffer, "!?");
  out[3] = strlen(buffer);
  out[4] = strcmp(buffer, text) > 0;
  out[5] = strncmp(buffer, text, 5);
  memcpy(m + 300, buffer, 32);
}

int main() {
  unsigned char *m;
  int *out;
  CHECK_CUDA(cudaMallocManaged(&m, 400));
  CHECK_CUDA(cudaMallocManaged(&out, 8 * sizeof(int)));
  char *text;
  CHECK_CUDA(cudaMallocManaged(&text, 16));
  strcpy(text, "hello");
  run<<<1, 1>>>(m, out, text);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) CHECK_EQ(m[i], i >= 10 && i < 15 ? 1 : 0xab);
  for (int i = 0; i < 40; ++i) CHECK_EQ(m[103 + i], i);
  for (int i = 0; i < 40; ++i) CHECK_EQ(m[200 + i], i + 5);
  CHECK_EQ(out[0], 0);
  CHECK_EQ(out[1], 1);
  CHECK_EQ(out[2], 5);
  CHECK_EQ(out[3], 7);
  CHECK_EQ(out[4], 1);
  CHECK_EQ(out[5], 0);
  CHECK_EQ(strcmp(reinterpret_cast<char *>(m) + 300, "hello!?"), 0);
  return check_report();
}
