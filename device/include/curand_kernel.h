// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in device code: the generators XORWOW, MRG32k3a, Philox4x32-10 and Sobol (32 and 64 bits, scrambled or
// not), and the distributions over them. A generator gives the documented sequence for a seed, a subsequence (2^67 numbers
// for XORWOW, 2^66 for Philox, 2^76 for MRG32k3a) and an offset.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

#ifndef CURAND_H_
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
#endif

extern "C" __device__ __attribute__((noconvergent)) void __hl_xorwow_skip(unsigned int *v, unsigned long long n,
                                                                          unsigned int first);
extern "C" __device__ __attribute__((noconvergent)) void __hl_mrg32k3a_skip(unsigned int *s1, unsigned int *s2,
                                                                            unsigned long long n, unsigned int first);

// --- generators that make pseudo-random numbers

/// Normal numbers are made in pairs; the second waits here.
#define __HELICON_SPARE      \
  int boxmuller_flag;        \
  int boxmuller_flag_double; \
  float boxmuller_extra;     \
  double boxmuller_extra_double;

struct curandStateXORWOW {
  unsigned int d, v[5];
  __HELICON_SPARE
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  __HELICON_SPARE
};
struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  __HELICON_SPARE
};
#undef __HELICON_SPARE
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

template <typename __S> QUALIFIERS void __hl_forget_spare(__S *state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

// XORWOW: Marsaglia's xorshift of five words, plus a counter.

QUALIFIERS unsigned int curand(curandStateXORWOW_t *state) {
  const unsigned int t = state->v[0] ^ (state->v[0] >> 2);
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}
QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  __hl_xorwow_skip(state->v, n, 0);
  state->d += 362437 * static_cast<unsigned int>(n);
}
/// The counter's period divides the length of a subsequence.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  __hl_xorwow_skip(state->v, n, 67);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateXORWOW_t *state) {
  const unsigned int t0 = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int t1 = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241 + t1 + t0;
  state->v[0] = 123456789u + t0;
  state->v[1] = 362436069u ^ t0;
  state->v[2] = 521288629u + t1;
  state->v[3] = 88675123u ^ t1;
  state->v[4] = 5783321u + t0;
  __hl_forget_spare(state);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

// MRG32k3a: L'Ecuyer's combined recurrences modulo m1 = 2^32 - 209 and m2 = 2^32 - 22853.

/// 1 … m1.
QUALIFIERS unsigned int __hl_mrg32k3a(curandStateMRG32k3a_t *state) {
  const long long m1 = 4294967087ll, m2 = 4294944443ll;
  long long p1 = (1403580ll * state->s1[1] - 810728ll * state->s1[0]) % m1;
  p1 = p1 < 0 ? p1 + m1 : p1;
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = static_cast<unsigned int>(p1);
  long long p2 = (527612ll * state->s2[2] - 1370589ll * state->s2[0]) % m2;
  p2 = p2 < 0 ? p2 + m2 : p2;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = static_cast<unsigned int>(p2);
  return static_cast<unsigned int>(p1 <= p2 ? p1 - p2 + m1 : p1 - p2);
}
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t *state) { return static_cast<double>(__hl_mrg32k3a(state)); }
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *state) {
  // 1 … m1 spread over 32 bits.
  return static_cast<unsigned int>(curand_MRG32k3a(state) * 1.000000048662);
}
QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
  __hl_mrg32k3a_skip(state->s1, state->s2, n, 0);
}
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  __hl_mrg32k3a_skip(state->s1, state->s2, n, 76);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  __hl_mrg32k3a_skip(state->s1, state->s2, n, 127);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateMRG32k3a_t *state) {
  const unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = state->s2[i] = 12345u;
  }
  if (seed != 0) {
    const unsigned long long x1 = static_cast<unsigned int>(seed) ^ 0x55555555u;
    const unsigned long long x2 = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      state->s1[i] = static_cast<unsigned int>((i == 1 ? x2 : x1) * state->s1[i] % m1);
      state->s2[i] = static_cast<unsigned int>((i == 1 ? x1 : x2) * state->s2[i] % m2);
    }
  }
  __hl_forget_spare(state);
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}

// Philox4x32-10: ten rounds of a cipher over a counter of 128 bits (Salmon and others, 2011).

QUALIFIERS uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned int low0 = 0xd2511f53u * c.x, high0 = __umulhi(0xd2511f53u, c.x);
    const unsigned int low1 = 0xcd9e8d57u * c.z, high1 = __umulhi(0xcd9e8d57u, c.z);
    c = make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}
QUALIFIERS void __hl_advance(curandStatePhilox4_32_10_t *state, unsigned long long n) {
  const unsigned long long low = (static_cast<unsigned long long>(state->ctr.y) << 32 | state->ctr.x) + n;
  const unsigned long long high = (static_cast<unsigned long long>(state->ctr.w) << 32 | state->ctr.z) + (low < n);
  state->ctr = make_uint4(static_cast<unsigned int>(low), static_cast<unsigned int>(low >> 32),
                          static_cast<unsigned int>(high), static_cast<unsigned int>(high >> 32));
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}
QUALIFIERS unsigned int __hl_output(const curandStatePhilox4_32_10_t *state) {
  return state->STATE == 0   ? state->output.x
         : state->STATE == 1 ? state->output.y
         : state->STATE == 2 ? state->output.z
                             : state->output.w;
}
QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *state) {
  const unsigned int result = __hl_output(state);
  if (++state->STATE == 4) {
    __hl_advance(state, 1);
    state->STATE = 0;
  }
  return result;
}
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *state) {
  const uint4 a = state->output;
  __hl_advance(state, 1);
  const uint4 b = state->output;
  switch (state->STATE) {
  case 0: return a;
  case 1: return make_uint4(a.y, a.z, a.w, b.x);
  case 2: return make_uint4(a.z, a.w, b.x, b.y);
  default: return make_uint4(a.w, b.x, b.y, b.z);
  }
}
QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  state->STATE += static_cast<unsigned int>(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    n += 1;
    state->STATE -= 4;
  }
  __hl_advance(state, n);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  const unsigned long long high = (static_cast<unsigned long long>(state->ctr.w) << 32 | state->ctr.z) + n;
  state->ctr.z = static_cast<unsigned int>(high);
  state->ctr.w = static_cast<unsigned int>(high >> 32);
  __hl_advance(state, 0);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStatePhilox4_32_10_t *state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2(static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32));
  state->STATE = 0;
  __hl_forget_spare(state);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

// --- generators that fill the unit cube evenly: Sobol sequences in the order of Gray codes

#define __HELICON_SOBOL(name, word, bits, scrambled)                                                              \
  struct name {                                                                                                   \
    word i, x, c;                                                                                                 \
    word direction_vectors[bits];                                                                                 \
  };                                                                                                              \
  typedef struct name name##_t;                                                                                   \
  QUALIFIERS word curand(name##_t *state) {                                                                       \
    const word result = state->x;                                                                                 \
    if (state->i != static_cast<word>(-1)) {                                                                      \
      state->x ^= state->direction_vectors[__ffsll(~static_cast<long long>(state->i)) - 1];                       \
      state->i += 1;                                                                                              \
    }                                                                                                             \
    return result;                                                                                                \
  }                                                                                                               \
  template <typename __N> QUALIFIERS void skipahead(__N n, name##_t *state) {                                     \
    state->i += static_cast<word>(n);                                                                             \
    const word gray = state->i ^ state->i >> 1;                                                                   \
    state->x = state->c;                                                                                          \
    for (int k = 0; k < bits; ++k) {                                                                              \
      state->x ^= (gray >> k & 1) != 0 ? state->direction_vectors[k] : 0;                                         \
    }                                                                                                             \
  }                                                                                                               \
  QUALIFIERS void __hl_begin(const word *direction_vectors, word c, word offset, name##_t *state) {               \
    state->i = 0;                                                                                                 \
    state->c = c;                                                                                                 \
    for (int k = 0; k < bits; ++k) {                                                                              \
      state->direction_vectors[k] = direction_vectors[k];                                                         \
    }                                                                                                             \
    skipahead(offset, state);                                                                                     \
  }
__HELICON_SOBOL(curandStateSobol32, unsigned int, 32, false)
__HELICON_SOBOL(curandStateScrambledSobol32, unsigned int, 32, true)
__HELICON_SOBOL(curandStateSobol64, unsigned long long, 64, false)
__HELICON_SOBOL(curandStateScrambledSobol64, unsigned long long, 64, true)
#undef __HELICON_SOBOL

QUALIFIERS void curand_init(const curandDirectionVectors32_t direction_vectors, unsigned int offset,
                            curandStateSobol32_t *state) {
  __hl_begin(direction_vectors, 0, offset, state);
}
QUALIFIERS void curand_init(const curandDirectionVectors32_t direction_vectors, unsigned int scramble_c,
                            unsigned int offset, curandStateScrambledSobol32_t *state) {
  __hl_begin(direction_vectors, scramble_c, offset, state);
}
QUALIFIERS void curand_init(const curandDirectionVectors64_t direction_vectors, unsigned long long offset,
                            curandStateSobol64_t *state) {
  __hl_begin(direction_vectors, 0, offset, state);
}
QUALIFIERS void curand_init(const curandDirectionVectors64_t direction_vectors, unsigned long long scramble_c,
                            unsigned long long offset, curandStateScrambledSobol64_t *state) {
  __hl_begin(direction_vectors, scramble_c, offset, state);
}

#include "helicon/random/distributions.h"

#endif
#endif
