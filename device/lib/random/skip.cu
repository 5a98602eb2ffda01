// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Skipping ahead in the sequences of curand_kernel.h's generators: n * 2^first numbers, bit by bit of n.
#include "device/lib/lib.h"
#include "device/lib/random/mrg32k3a_powers.h"
#include "device/lib/random/xorwow_powers.h"

namespace {

__device__ uint32 multiply(uint32 a, uint32 b, uint32 modulus) { return static_cast<uint32>(uint64{a} * b % modulus); }

__device__ void skip_recurrence(uint32 *state, const uint32 (*powers)[9], uint32 modulus, uint64 n, uint32 first) {
  for (uint32 k = first; n != 0; ++k, n >>= 1) {
    if ((n & 1) == 0) {
      continue;
    }
    uint32 next[3];
    for (int row = 0; row < 3; ++row) {
      uint64 sum = 0;
      for (int column = 0; column < 3; ++column) {
        sum += multiply(powers[k][3 * row + column], state[column], modulus);
      }
      next[row] = static_cast<uint32>(sum % modulus);
    }
    for (int i = 0; i < 3; ++i) {
      state[i] = next[i];
    }
  }
}

}  // namespace

/// `v`: the five words that are shifted and combined; the counter beside them is the caller's.
HL_API void __hl_xorwow_skip(uint32 *v, uint64 n, uint32 first) {
  for (uint32 k = first; n != 0; ++k, n >>= 1) {
    if ((n & 1) == 0) {
      continue;
    }
    // The polynomial of the step, applied to the state: the sum of those of its powers that have the coefficient 1.
    uint32 a = v[0], b = v[1], c = v[2], d = v[3], e = v[4];
    uint32 sum[5] = {};
    for (uint32 i = 0; i < 160; ++i) {
      const uint32 taken = 0 - (kXorwowPowers[k][i / 32] >> i % 32 & 1);
      sum[0] ^= taken & a;
      sum[1] ^= taken & b;
      sum[2] ^= taken & c;
      sum[3] ^= taken & d;
      sum[4] ^= taken & e;
      const uint32 t = a ^ a >> 2;
      a = b;
      b = c;
      c = d;
      d = e;
      e = (e ^ e << 4) ^ (t ^ t << 1);
    }
    for (int i = 0; i < 5; ++i) {
      v[i] = sum[i];
    }
  }
}

HL_API void __hl_mrg32k3a_skip(uint32 *s1, uint32 *s2, uint64 n, uint32 first) {
  skip_recurrence(s1, kMrg32k3aPowers[0], 4294967087u, n, first);
  skip_recurrence(s2, kMrg32k3aPowers[1], 4294944443u, n, first);
}
