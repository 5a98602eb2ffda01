// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributions over the generators of curand_kernel.h: uniform in (0, 1], normal, log-normal, Poisson.
#ifndef __HELICON_RANDOM_DISTRIBUTIONS_H__
#define __HELICON_RANDOM_DISTRIBUTIONS_H__

// --- bits to (0, 1]

QUALIFIERS float __hl_uniform(unsigned int x) { return static_cast<float>(x) * 0x1p-32f + 0x1p-33f; }
QUALIFIERS float __hl_uniform(unsigned long long x) { return __hl_uniform(static_cast<unsigned int>(x >> 32)); }
QUALIFIERS double __hl_uniform_double(unsigned int x) { return static_cast<double>(x) * 0x1p-32 + 0x1p-32; }
QUALIFIERS double __hl_uniform_double(unsigned long long x) {
  return static_cast<double>(x >> 11) * 0x1p-53 + 0x1p-54;
}
/// 53 bits of two words.
QUALIFIERS unsigned long long __hl_53_bits(unsigned int x, unsigned int y) {
  return x ^ static_cast<unsigned long long>(y) << 21;
}
QUALIFIERS double __hl_uniform_double(unsigned int x, unsigned int y) {
  return static_cast<double>(__hl_53_bits(x, y)) * 0x1p-53 + 0x1p-54;
}

QUALIFIERS float curand_uniform(curandStateXORWOW_t *state) { return __hl_uniform(curand(state)); }
QUALIFIERS float curand_uniform(curandStatePhilox4_32_10_t *state) { return __hl_uniform(curand(state)); }
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *state) {
  return static_cast<float>(curand_MRG32k3a(state) * 2.3283065498378288e-10);
}
QUALIFIERS double curand_uniform_double(curandStateXORWOW_t *state) {
  const unsigned int x = curand(state), y = curand(state);
  return __hl_uniform_double(x, y);
}
QUALIFIERS double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
  return __hl_uniform_double(curand(state));
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *state) {
  return curand_MRG32k3a(state) * 2.3283065498378288e-10;
}
QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  const uint4 x = curand4(state);
  return make_float4(__hl_uniform(x.x), __hl_uniform(x.y), __hl_uniform(x.z), __hl_uniform(x.w));
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  const uint4 x = curand4(state);
  return make_double2(__hl_uniform_double(x.x, x.y), __hl_uniform_double(x.z, x.w));
}

QUALIFIERS double4 __hl_four(double2 a, double2 b) { return make_double4(a.x, a.y, b.x, b.y); }
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return __hl_four(a, b);
}

// --- normal numbers, and those whose logarithm is normal: the transformation of Box and Muller makes two of two uniform ones

QUALIFIERS float2 __hl_box_muller(float u, float angle) {
  const float radius = sqrtf(-2.0f * logf(u));
  float s, c;
  sincosf(angle, &s, &c);
  return make_float2(s * radius, c * radius);
}
QUALIFIERS float2 __hl_box_muller(unsigned int x, unsigned int y) {
  const float turn = 6.2831855f * 0x1p-32f;
  return __hl_box_muller(__hl_uniform(x), static_cast<float>(y) * turn + turn / 2);
}
QUALIFIERS double2 __hl_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
  const double radius = sqrt(-2.0 * log(__hl_uniform_double(x0, x1)));
  double s, c;
  sincospi(static_cast<double>(__hl_53_bits(y0, y1)) * 0x1p-52 + 0x1p-53, &s, &c);
  return make_double2(s * radius, c * radius);
}

template <typename __S> QUALIFIERS float2 __hl_normal2(__S *state) {
  const unsigned int x = curand(state), y = curand(state);
  return __hl_box_muller(x, y);
}
template <typename __S> QUALIFIERS double2 __hl_normal2_double(__S *state) {
  const unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return __hl_box_muller_double(x0, x1, y0, y1);
}
QUALIFIERS float2 __hl_normal2(curandStateMRG32k3a_t *state) {
  const float x = curand_uniform(state), y = curand_uniform(state);
  return __hl_box_muller(x, y * 6.2831855f);
}
QUALIFIERS double2 __hl_normal2_double(curandStateMRG32k3a_t *state) {
  const double x = curand_uniform_double(state), y = curand_uniform_double(state);
  const double radius = sqrt(-2.0 * log(x));
  double s, c;
  sincospi(2.0 * y, &s, &c);
  return make_double2(s * radius, c * radius);
}

// Which kind of number waits in the state.
enum { __hl_spare_normal = 1, __hl_spare_log_normal = 2 };

/// One of a pair; `finish` makes of a normal number what is asked for.
template <typename __S, typename __F> QUALIFIERS float __hl_one_of_two(__S *state, int kind, __F finish) {
  if (state->boxmuller_flag == kind) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 two = __hl_normal2(state);
  state->boxmuller_extra = finish(two.y);
  state->boxmuller_flag = kind;
  return finish(two.x);
}
template <typename __S, typename __F> QUALIFIERS double __hl_one_of_two_double(__S *state, int kind, __F finish) {
  if (state->boxmuller_flag_double == kind) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 two = __hl_normal2_double(state);
  state->boxmuller_extra_double = finish(two.y);
  state->boxmuller_flag_double = kind;
  return finish(two.x);
}

#define __HELICON_NORMAL(type)                                                                                   \
  QUALIFIERS float2 curand_normal2(type *state) { return __hl_normal2(state); }                                  \
  QUALIFIERS double2 curand_normal2_double(type *state) { return __hl_normal2_double(state); }                   \
  QUALIFIERS float curand_normal(type *state) {                                                                  \
    return __hl_one_of_two(state, __hl_spare_normal, [](float n) { return n; });                                 \
  }                                                                                                              \
  QUALIFIERS double curand_normal_double(type *state) {                                                          \
    return __hl_one_of_two_double(state, __hl_spare_normal, [](double n) { return n; });                         \
  }                                                                                                              \
  QUALIFIERS float curand_log_normal(type *state, float mean, float stddev) {                                    \
    return __hl_one_of_two(state, __hl_spare_log_normal, [=](float n) { return expf(mean + stddev * n); });      \
  }                                                                                                              \
  QUALIFIERS double curand_log_normal_double(type *state, double mean, double stddev) {                          \
    return __hl_one_of_two_double(state, __hl_spare_log_normal, [=](double n) { return exp(mean + stddev * n); }); \
  }                                                                                                              \
  QUALIFIERS float2 curand_log_normal2(type *state, float mean, float stddev) {                                  \
    const float2 n = curand_normal2(state);                                                                      \
    return make_float2(expf(mean + stddev * n.x), expf(mean + stddev * n.y));                                    \
  }                                                                                                              \
  QUALIFIERS double2 curand_log_normal2_double(type *state, double mean, double stddev) {                        \
    const double2 n = curand_normal2_double(state);                                                              \
    return make_double2(exp(mean + stddev * n.x), exp(mean + stddev * n.y));                                     \
  }
__HELICON_NORMAL(curandStateXORWOW_t)
__HELICON_NORMAL(curandStateMRG32k3a_t)
__HELICON_NORMAL(curandStatePhilox4_32_10_t)
#undef __HELICON_NORMAL

QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  const uint4 x = curand4(state);
  const float2 a = __hl_box_muller(x.x, x.y), b = __hl_box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return __hl_four(a, b);
}

// Sobol sequences keep their evenness only if each number makes one: the inverse of the distribution function.

QUALIFIERS float __hl_inverse_normal(unsigned int x) {
  const bool upper = x > 0x80000000u;
  const float size = 1.4142135f * erfcinvf(2.0f * __hl_uniform(upper ? 0xffffffffu - x : x));
  return upper ? size : -size;
}
QUALIFIERS float __hl_inverse_normal(unsigned long long x) {
  return __hl_inverse_normal(static_cast<unsigned int>(x >> 32));
}
QUALIFIERS double __hl_inverse_normal_double(double p) { return -1.4142135623730951 * erfcinv(2.0 * p); }

#define __HELICON_SOBOL(type)                                                                              \
  QUALIFIERS float curand_uniform(type *state) { return __hl_uniform(curand(state)); }                     \
  QUALIFIERS double curand_uniform_double(type *state) { return __hl_uniform_double(curand(state)); }      \
  QUALIFIERS float curand_normal(type *state) { return __hl_inverse_normal(curand(state)); }               \
  QUALIFIERS double curand_normal_double(type *state) {                                                    \
    return __hl_inverse_normal_double(curand_uniform_double(state));                                       \
  }                                                                                                        \
  QUALIFIERS float curand_log_normal(type *state, float mean, float stddev) {                              \
    return expf(mean + stddev * curand_normal(state));                                                     \
  }                                                                                                        \
  QUALIFIERS double curand_log_normal_double(type *state, double mean, double stddev) {                    \
    return exp(mean + stddev * curand_normal_double(state));                                               \
  }
__HELICON_SOBOL(curandStateSobol32_t)
__HELICON_SOBOL(curandStateScrambledSobol32_t)
__HELICON_SOBOL(curandStateSobol64_t)
__HELICON_SOBOL(curandStateScrambledSobol64_t)
#undef __HELICON_SOBOL

QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
  const float4 n = curand_normal4(state);
  return make_float4(expf(mean + stddev * n.x), expf(mean + stddev * n.y), expf(mean + stddev * n.z),
                     expf(mean + stddev * n.w));
}

QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double stddev) {
  const double4 n = curand_normal4_double(state);
  return make_double4(exp(mean + stddev * n.x), exp(mean + stddev * n.y), exp(mean + stddev * n.z),
                      exp(mean + stddev * n.w));
}

// --- Poisson numbers: products of uniform ones for small means (Knuth), transformed rejection for larger ones (Hörmann's
// PTRS), a normal number above 4000

template <typename __S> QUALIFIERS unsigned int __hl_poisson_by_products(__S *state, double lambda) {
  unsigned int k = 0;
  float p = expf(static_cast<float>(lambda));
  do {
    k += 1;
    p *= curand_uniform(state);
  } while (p > 1.0f);
  return k - 1;
}
template <typename __S> QUALIFIERS unsigned int __hl_poisson_by_rejection(__S *state, double lambda) {
  const double root = sqrt(lambda), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverse = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2.0), log_lambda = log(lambda);
  for (;;) {
    const double u = static_cast<double>(curand_uniform(state)) - 0.5, v = curand_uniform(state);
    const double us = 0.5 - fabs(u), k = floor((2.0 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= accepted) {
      return static_cast<unsigned int>(k);
    }
    if (k >= 0.0 && (us >= 0.013 || v <= us) &&
        log(v * inverse / (a / (us * us) + b)) <= -lambda + k * log_lambda - lgamma(k + 1.0)) {
      return static_cast<unsigned int>(k);
    }
  }
}
template <typename __S> QUALIFIERS unsigned int curand_poisson(__S *state, double lambda) {
  if (lambda < 64.0) {
    return __hl_poisson_by_products(state, lambda);
  }
  if (lambda <= 4000.0) {
    return __hl_poisson_by_rejection(state, lambda);
  }
  const double x = sqrt(lambda) * curand_normal_double(state) + lambda + 0.5;
  return x < 0.0 ? 0u : static_cast<unsigned int>(x);
}
QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  uint4 four;
  four.x = curand_poisson(state, lambda);
  four.y = curand_poisson(state, lambda);
  four.z = curand_poisson(state, lambda);
  four.w = curand_poisson(state, lambda);
  return four;
}

#endif
