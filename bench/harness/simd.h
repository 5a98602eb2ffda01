// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The widest vectors of this processor, for the hand-written sides: one text for AVX-512 and AVX2.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace hel::bench {

#ifdef __AVX512F__
inline constexpr int kLanes = 16;
#else
inline constexpr int kLanes = 8;
#endif

using Floats = float __attribute__((ext_vector_type(kLanes)));
using Ints = int32_t __attribute__((ext_vector_type(kLanes)));

inline Floats load(const float *from) {
  Floats v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

inline void store(float *to, Floats v) { __builtin_memcpy(to, &v, sizeof v); }

/// Past the caches; `to` is aligned to the vector. A store fence must follow before others read.
inline void stream(float *to, Floats v) { __builtin_nontemporal_store(v, reinterpret_cast<Floats *>(to)); }

inline Floats fma(Floats a, Floats b, Floats c) { return __builtin_elementwise_fma(a, b, c); }

inline float sum(Floats v) {
#ifdef __AVX512F__
  return _mm512_reduce_add_ps(v);
#else
  __m128 half = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  half = _mm_add_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
#endif
}

/// from[index] in each lane.
inline Floats gather(const float *from, Ints index) {
#ifdef __AVX512F__
  return _mm512_i32gather_ps(static_cast<__m512i>(index), from, 4);
#else
  return _mm256_i32gather_ps(from, static_cast<__m256i>(index), 4);
#endif
}

/// About 12 (AVX-512: 14) bits of 1 / sqrt(x).
inline Floats reciprocal_sqrt_estimate(Floats x) {
#ifdef __AVX512F__
  return _mm512_rsqrt14_ps(x);
#else
  return _mm256_rsqrt_ps(x);
#endif
}

inline Floats square_root(Floats x) { return __builtin_elementwise_sqrt(x); }

}  // namespace hel::bench
