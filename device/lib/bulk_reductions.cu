// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX cp.reduce.async.bulk: each element of an array updates the element at its place in another one, atomically.
#include "device/lib/lib.h"

// __hl_bulk_<operation>_<type>(to, from, bytes)
#define HL_BULK(operation, name, T)                                                                                      \
  extern "C" __device__ void __hl_bulk_##operation##_##name(void *to, const void *from, uint32 bytes) {                  \
    for (uint32 i = 0; i < bytes / sizeof(T); ++i) {                                                                     \
      __atomic_fetch_##operation(static_cast<T *>(to) + i, static_cast<const T *>(from)[i], __ATOMIC_RELAXED);           \
    }                                                                                                                    \
  }
#define HL_BULK_LOGIC(operation)      \
  HL_BULK(operation, b32, uint32)     \
  HL_BULK(operation, b64, uint64)
#define HL_BULK_ORDER(operation)      \
  HL_BULK(operation, u32, uint32)     \
  HL_BULK(operation, s32, int)        \
  HL_BULK(operation, u64, uint64)     \
  HL_BULK(operation, s64, long long)  \
  HL_BULK(operation, f16, _Float16)   \
  HL_BULK(operation, bf16, __bf16)

HL_BULK_LOGIC(and)
HL_BULK_LOGIC(or)
HL_BULK_LOGIC(xor)
HL_BULK_ORDER(min)
HL_BULK_ORDER(max)
HL_BULK_ORDER(add)
HL_BULK(add, f32, float)
HL_BULK(add, f64, double)
