// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program with machine code for several levels of x86-64: the best one that may run is taken, every level gives the
// same bits, and where the program has none that may run the bitcode is compiled.
// RUN: %mcc --device-cpu=x86-64-v2,x86-64-v3 --device-cpu=x86-64-v4 %s -o %t
// RUN: env HELICON_CPU_LEVEL=2 HELICON_LOG=module %run %t 2>%t.2 >%t.out2 && %FileCheck --check-prefix=V2 %s <%t.2
// V2: target=x86-64-v2
// RUN: %if x86-64-v3 %{ env HELICON_CPU_LEVEL=3 HELICON_LOG=module %run %t 2>%t.3 >%t.out3 && %FileCheck --check-prefix=V3 %s <%t.3 && diff %t.out2 %t.out3 %}
// V3: target=x86-64-v3
// RUN: %if x86-64-v4 %{ env HELICON_LOG=module %run %t 2>%t.4 >%t.out4 && %FileCheck --check-prefix=V4 %s <%t.4 && diff %t.out2 %t.out4 %}
// V4: target=x86-64-v4
// RUN: %mcc --device-cpu=x86-64-v4 %s -o %t.v4
// RUN: env HELICON_CPU_LEVEL=2 HELICON_LOG=module %run %t.v4 2>%t.jit >%t.outjit && %FileCheck --check-prefix=JIT %s <%t.jit && diff %t.out2 %t.outjit
// JIT: jit containers=1 target=x86-64-v2
// RUN: not %mcc --device-cpu=x86-64-v5 -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=WRONG %s
// WRONG: error: {{.*}}x86-64-v5
#include <cstdint>

#include "check.h"

constexpr int kN = 4096;

__global__ void mix(const float *in, float *out, double *sums, const int *order, unsigned *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], y = in[order[i]];
  if (x < y) {
    for (int k = 0; k < (i & 15); ++k) x = fmaf(x, 1.0009765625f, -y) / (1.0f + y * y);
  } else {
    x = sqrtf(x * y + 1.0f) - expf(-x) * sinf(y) + __int2float_rz(i * 77777777);
  }
  out[order[i]] = x;
  sums[i] = fma((double)x, (double)y, pow(1.0 + y, 1.5));
  atomicAdd(&counts[(unsigned)(x < y) + 2 * (__popc(i) & 7)], __ballot_sync(0xffffffffu, x < y) >> 28);
}

int main() {
  float *in, *out;
  double *sums;
  int *order;
  unsigned *counts;
  CHECK_CUDA(cudaMallocManaged(&in, kN * sizeof *in));
  CHECK_CUDA(cudaMallocManaged(&out, kN * sizeof *out));
  CHECK_CUDA(cudaMallocManaged(&sums, kN * sizeof *sums));
  CHECK_CUDA(cudaMallocManaged(&order, kN * sizeof *order));
  CHECK_CUDA(cudaMallocManaged(&counts, 16 * sizeof *counts));
  for (int i = 0; i < kN; ++i) {
    in[i] = (i * 7919 % kN) / 1024.0f;
    order[i] = i * 1021 % kN;
  }
  memset(counts, 0, 16 * sizeof *counts);
  mix<<<kN / 128, 128>>>(in, out, sums, order, counts);
  CHECK_CUDA(cudaDeviceSynchronize());
  uint64_t hash = 1469598103934665603u;
  auto add = [&](const void *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) hash = (hash ^ static_cast<const unsigned char *>(bytes)[i]) * 1099511628211u;
  };
  add(out, kN * sizeof *out);
  add(sums, kN * sizeof *sums);
  add(counts, 16 * sizeof *counts);
  printf("%016llx\n", static_cast<unsigned long long>(hash));
  CHECK(out[5] == out[5]);
  return check_report();
}
