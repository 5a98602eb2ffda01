// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions: vote, match, reduce, shuffle, the active mask; and the old names without a mask.
#ifndef __HELICON_DEVICE_WARP_H__
#define __HELICON_DEVICE_WARP_H__

__device__ __forceinline__ unsigned int __activemask(void) { return __nvvm_activemask(); }
__device__ __forceinline__ int __all_sync(unsigned int mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__device__ __forceinline__ int __any_sync(unsigned int mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__device__ __forceinline__ int __uni_sync(unsigned int mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
__device__ __forceinline__ unsigned int __ballot_sync(unsigned int mask, int p) {
  return __nvvm_vote_ballot_sync(mask, p);
}
extern "C" __device__ unsigned int __hl_fns(unsigned int mask, unsigned int base, int offset);
__device__ __forceinline__ unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  return __hl_fns(mask, base, offset);
}

// Match: 32- and 64-bit values, compared by their bits.
#define __HELICON_MATCH(type, bits, carrier, asbits)                                                    \
  __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, type value) {             \
    return __nvvm_match_any_sync_i##bits(mask, static_cast<carrier>(asbits(value)));                    \
  }                                                                                                     \
  __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, type value, int *equal) { \
    return __nvvm_match_all_sync_i##bits##p(mask, static_cast<carrier>(asbits(value)), equal);          \
  }
__HELICON_MATCH(int, 32, unsigned int, )
__HELICON_MATCH(unsigned int, 32, unsigned int, )
__HELICON_MATCH(long, 64, unsigned long long, )
__HELICON_MATCH(unsigned long, 64, unsigned long long, )
__HELICON_MATCH(long long, 64, unsigned long long, )
__HELICON_MATCH(unsigned long long, 64, unsigned long long, )
__HELICON_MATCH(float, 32, unsigned int, __hl_bits)
__HELICON_MATCH(double, 64, unsigned long long, __hl_bits)
#undef __HELICON_MATCH

__device__ __forceinline__ int __reduce_add_sync(unsigned int m, int v) { return __nvvm_redux_sync_add(v, m); }
__device__ __forceinline__ int __reduce_min_sync(unsigned int m, int v) { return __nvvm_redux_sync_min(v, m); }
__device__ __forceinline__ int __reduce_max_sync(unsigned int m, int v) { return __nvvm_redux_sync_max(v, m); }
__device__ __forceinline__ unsigned int __reduce_add_sync(unsigned int m, unsigned int v) {
  return __nvvm_redux_sync_add(v, m);
}
__device__ __forceinline__ unsigned int __reduce_min_sync(unsigned int m, unsigned int v) {
  return __nvvm_redux_sync_umin(v, m);
}
__device__ __forceinline__ unsigned int __reduce_max_sync(unsigned int m, unsigned int v) {
  return __nvvm_redux_sync_umax(v, m);
}
__device__ __forceinline__ unsigned int __reduce_and_sync(unsigned int m, unsigned int v) {
  return __nvvm_redux_sync_and(v, m);
}
__device__ __forceinline__ unsigned int __reduce_or_sync(unsigned int m, unsigned int v) {
  return __nvvm_redux_sync_or(v, m);
}
__device__ __forceinline__ unsigned int __reduce_xor_sync(unsigned int m, unsigned int v) {
  return __nvvm_redux_sync_xor(v, m);
}

// Shuffles. PTX's last operand holds the segment mask (32 - width) above the clamp value.
#define __HELICON_SHFL_32(name, op, type, carrier, lane_type, clamp)                                                 \
  __device__ __forceinline__ type name(unsigned int mask, type value, lane_type lane, int width = warpSize) {        \
    return static_cast<type>(__nvvm_shfl_sync_##op##_##carrier(mask, value, lane, ((32 - width) << 8) | clamp));     \
  }
#define __HELICON_SHFL_64(name, type, lane_type)                                                                     \
  __device__ __forceinline__ type name(unsigned int mask, type value, lane_type lane, int width = warpSize) {        \
    unsigned long long bits = __hl_bits(value);                                                                      \
    unsigned int low = name(mask, static_cast<unsigned int>(bits), lane, width);                                     \
    unsigned int high = name(mask, static_cast<unsigned int>(bits >> 32), lane, width);                              \
    return __hl_from_bits<type>((static_cast<unsigned long long>(high) << 32) | low);                                \
  }
#define __HELICON_SHFL(name, op, lane_type, clamp)                     \
  __HELICON_SHFL_32(name, op, int, i32, lane_type, clamp)              \
  __HELICON_SHFL_32(name, op, unsigned int, i32, lane_type, clamp)     \
  __HELICON_SHFL_32(name, op, float, f32, lane_type, clamp)            \
  __HELICON_SHFL_64(name, long, lane_type)                             \
  __HELICON_SHFL_64(name, unsigned long, lane_type)                    \
  __HELICON_SHFL_64(name, long long, lane_type)                        \
  __HELICON_SHFL_64(name, unsigned long long, lane_type)               \
  __HELICON_SHFL_64(name, double, lane_type)
__HELICON_SHFL(__shfl_sync, idx, int, 0x1f)
__HELICON_SHFL(__shfl_up_sync, up, unsigned int, 0)
__HELICON_SHFL(__shfl_down_sync, down, unsigned int, 0x1f)
__HELICON_SHFL(__shfl_xor_sync, bfly, int, 0x1f)
#undef __HELICON_SHFL
#undef __HELICON_SHFL_64
#undef __HELICON_SHFL_32

// The names without a mask act on the lanes that are converged at the call.
#define __HELICON_OLD(new_name) __attribute__((deprecated("use " #new_name " with an explicit mask"))) __device__ __forceinline__
__HELICON_OLD(__all_sync) int __all(int p) { return __all_sync(__activemask(), p); }
__HELICON_OLD(__any_sync) int __any(int p) { return __any_sync(__activemask(), p); }
__HELICON_OLD(__ballot_sync) unsigned int __ballot(int p) { return __ballot_sync(__activemask(), p); }
#define __HELICON_OLD_SHFL(name, lane_type)                                                               \
  template <typename __T>                                                                                 \
  __HELICON_OLD(name##_sync) __T name(__T value, lane_type lane, int width = warpSize) {                  \
    return name##_sync(__activemask(), value, lane, width);                                               \
  }
__HELICON_OLD_SHFL(__shfl, int)
__HELICON_OLD_SHFL(__shfl_up, unsigned int)
__HELICON_OLD_SHFL(__shfl_down, unsigned int)
__HELICON_OLD_SHFL(__shfl_xor, int)
#undef __HELICON_OLD_SHFL
#undef __HELICON_OLD

#endif
