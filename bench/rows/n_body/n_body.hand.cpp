// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two vectors of bodies at a time meet one body after the other; the estimate of the inverse root gets one Newton step.
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

constexpr int kVectors = 2;

Floats inverse_root(Floats x) {
  const Floats y = reciprocal_sqrt_estimate(x);
  return y * fma(Floats(-0.5f) * x * y, y, Floats(1.5f));
}

void run(const Problem &problem, const Memory &memory) {
  const int n = problem.sizes[0];
  const float *bodies = memory.in<float>(0);
  float *accelerations = memory.out<float>();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i += kVectors * kLanes) {
    Floats x[kVectors], y[kVectors], z[kVectors], ax[kVectors] = {}, ay[kVectors] = {}, az[kVectors] = {};
    for (int v = 0; v < kVectors; v++) {
      for (int lane = 0; lane < kLanes; lane++) {
        const float *body = bodies + 4 * (i + v * kLanes + lane);
        x[v][lane] = body[0];
        y[v][lane] = body[1];
        z[v][lane] = body[2];
      }
    }
    for (int j = 0; j < n; j++) {
      const float *other = bodies + 4 * j;
#pragma unroll
      for (int v = 0; v < kVectors; v++) {
        const Floats dx = Floats(other[0]) - x[v], dy = Floats(other[1]) - y[v], dz = Floats(other[2]) - z[v];
        const Floats inverse = inverse_root(fma(dz, dz, fma(dy, dy, fma(dx, dx, Floats(0.01f)))));
        const Floats force = Floats(other[3]) * inverse * inverse * inverse;
        ax[v] = fma(dx, force, ax[v]);
        ay[v] = fma(dy, force, ay[v]);
        az[v] = fma(dz, force, az[v]);
      }
    }
    for (int v = 0; v < kVectors; v++) {
      for (int lane = 0; lane < kLanes; lane++) {
        float *to = accelerations + 4 * (i + v * kLanes + lane);
        to[0] = ax[v][lane];
        to[1] = ay[v][lane];
        to[2] = az[v][lane];
        to[3] = 0;
      }
    }
  }
}

const Side side("n_body", Who::Hand, run);

}  // namespace
}  // namespace hel::bench
