// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of this folder share: they are built by mcc and by the vendor's compiler, and print for each kernel
// its name, the microseconds of a launch (best of several rounds) and a sum over its output, which both builds must
// agree on.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                             \
  do {                                                                          \
    cudaError_t code = call;                                                    \
    if (code != cudaSuccess) {                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(code)); \
      return 1;                                                                 \
    }                                                                           \
  } while (0)

namespace {

constexpr int kN = 1 << 24;

struct Memory {
  float *a, *b, *c;
};

inline unsigned next_random(unsigned &state) { return state = state * 1664525u + 1013904223u; }

/// Three arrays of kN random values from 0.5 to 1.5. 0: done.
inline int allocate(Memory &m, unsigned &state) {
  std::vector<float> values(kN);
  for (float &v : values) {
    v = 0.5f + (next_random(state) >> 8) * (1.0f / (1 << 24));
  }
  for (float **p : {&m.a, &m.b, &m.c}) {
    CHECK(cudaMalloc(p, kN * sizeof(float)));
    CHECK(cudaMemcpy(*p, values.data(), kN * sizeof(float), cudaMemcpyHostToDevice));
  }
  return 0;
}

template <typename Launch> int time_kernel(const char *name, Memory m, size_t outputs, Launch launch) {
  cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaMemset(m.c, 0, kN * sizeof(float)));
  launch();
  CHECK(cudaDeviceSynchronize());
  std::vector<float> out(outputs);
  CHECK(cudaMemcpy(out.data(), m.c, outputs * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (float v : out)
    sum += std::isfinite(v) ? std::fabs(v) : 0;
  float best = 1e30f;
  for (int round = 0; round < 7; round++) {
    constexpr int kLaunches = 20;
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < kLaunches; i++)
      launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    best = std::fmin(best, milliseconds * 1000 / kLaunches);
  }
  std::printf("%s %.3f %.7g\n", name, best, sum);
  return 0;
}

}  // namespace
