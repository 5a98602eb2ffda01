// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in shared memory (PTX mbarrier). The word, which programs take for opaque:
//
//    63      62 … 40                       39 … 20             19 … 0
//   parity   bytes still to come + bias    arrivals expected   arrivals missing
//
// A phase is complete when neither arrivals nor bytes are missing; then the parity changes and the next phase begins.
#include "device/lib/lib.h"

namespace {

constexpr uint64 kCountMask = 0xfffff;
constexpr int kExpectedShift = 20, kBytesShift = 40, kParityShift = 63;
constexpr uint64 kBytesMask = 0x7fffff, kBytesBias = 0x400000;
constexpr uint64 kOneByte = uint64{1} << kBytesShift;

HL_LOCAL uint64 word(uint64 parity, uint64 expected) {
  return parity << kParityShift | kBytesBias << kBytesShift | expected << kExpectedShift | expected;
}

HL_LOCAL uint64 completed(uint64 state) {
  uint64 bytes = state >> kBytesShift & kBytesMask;
  bool is_complete = (state & kCountMask) == 0 && bytes == kBytesBias;
  return is_complete ? word(~state >> kParityShift, state >> kExpectedShift & kCountMask) : state;
}

HL_LOCAL uint64 load(const uint64 *barrier) { return __atomic_load_n(barrier, __ATOMIC_ACQUIRE); }

/// Adds bytes (which may be negative) and takes arrivals away; gives the state before.
HL_LOCAL uint64 change(uint64 *barrier, uint64 count, long long bytes, uint64 dropped) {
  uint64 old = load(barrier), next;
  do {
    next = old + static_cast<uint64>(bytes) * kOneByte - (dropped << kExpectedShift) - count;
    next = completed(next);
  } while (!__atomic_compare_exchange_n(barrier, &old, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return old;
}

}  // namespace

HL_API void __hl_mbarrier_init(uint64 *barrier, uint32 count) {
  __atomic_store_n(barrier, word(0, count & kCountMask), __ATOMIC_RELEASE);
}

HL_API uint64 __hl_mbarrier_arrive(uint64 *barrier, uint32 count, uint32 bytes, uint32 dropped) {
  return change(barrier, count, bytes, dropped);
}

HL_API void __hl_mbarrier_expect(uint64 *barrier, uint32 bytes) { change(barrier, 0, bytes, 0); }

HL_API void __hl_mbarrier_complete(uint64 *barrier, uint32 bytes) { change(barrier, 0, -static_cast<long long>(bytes), 0); }

/// True when the phase of `state` is complete.
HL_API uint32 __hl_mbarrier_test(const uint64 *barrier, uint64 state) {
  return (load(barrier) ^ state) >> kParityShift;
}

/// True when the latest phase of this parity is complete.
HL_API uint32 __hl_mbarrier_test_parity(const uint64 *barrier, uint64 parity) {
  return (load(barrier) >> kParityShift) != (parity & 1);
}

HL_API uint32 __hl_mbarrier_pending(uint64 state) { return static_cast<uint32>(state & kCountMask); }

/// Copies `bytes`, of which only the first `present` are read; the others are zero.
HL_API void __hl_copy_or_zero(void *to, const void *from, uint32 bytes, uint32 present) {
  auto *out = static_cast<uint32 *>(to);
  auto *in = static_cast<const uint32 *>(from);
  for (uint32 at = 0; at < bytes; at += 4) {
    uint32 word = 0;
    if (at + 4 <= present) {
      word = in[at / 4];
    } else {
      for (uint32 byte = at; byte < present; ++byte) {
        word |= uint32{static_cast<const unsigned char *>(from)[byte]} << (8 * (byte - at));
      }
    }
    out[at / 4] = word;
  }
}
