// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the sources of the device library are written: each compiles twice, to SIMT IR (libdevice.bc) and to host code
// (the host forms of CUDA's math functions in libhelicon). Every function that headers or compiler name is HL_API;
// HL_PURE declares one that lives elsewhere and depends on its arguments alone.
#pragma once

#if defined(__CUDA__)
#include "helicon/qualifiers.h"
#define HL_DEVICE __device__ __attribute__((noconvergent))
#define HL_LIBM(name) __asm__("__hl_libm_" name)  // the compiler drops the prefix
#else
#define __device__
#define __constant__
#define HL_DEVICE __attribute__((visibility("default")))
#define HL_LIBM(name) __asm__(name)
#endif
#define HL_API extern "C" HL_DEVICE
#define HL_PURE extern "C" HL_DEVICE __attribute__((const, nothrow))
#define HL_LOCAL static __device__ inline
/// A path that few arguments take: it stays a call, so that code that is run for many lanes at once can step over it.
#define HL_RARE extern "C" HL_DEVICE __attribute__((const, nothrow, noinline))

using uint32 = unsigned int;
using uint64 = unsigned long long;
using uint128 = unsigned __int128;
using size_type = decltype(sizeof(0));

HL_LOCAL uint32 bits_of(float x) { return __builtin_bit_cast(uint32, x); }
HL_LOCAL uint64 bits_of(double x) { return __builtin_bit_cast(uint64, x); }
HL_LOCAL float float_of(uint32 b) { return __builtin_bit_cast(float, b); }
HL_LOCAL double double_of(uint64 b) { return __builtin_bit_cast(double, b); }
