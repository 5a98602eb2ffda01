// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap of device code (malloc, free, new, delete in kernels): one a context; blocks outlive the kernel that made
// them. Its bookkeeping lies outside the memory it gives out, so that a kernel that writes too far cannot break it.
#pragma once

#include <cstddef>
#include <memory>

namespace hel::cpu::exec {

class DeviceHeap {
public:
  /// `limit` is cudaLimitMallocHeapSize; address space is taken on first use.
  explicit DeviceHeap(size_t limit);
  ~DeviceHeap();
  DeviceHeap(const DeviceHeap &) = delete;
  DeviceHeap &operator=(const DeviceHeap &) = delete;

  /// Null when the limit is reached, bytes is 0 or the alignment is no power of two. At least 16-byte aligned. Any
  /// thread.
  void *allocate(size_t bytes, size_t alignment = 16);
  /// False if `pointer` is no live block of this heap. Null is fine.
  bool release(void *pointer);

  size_t limit() const;
  /// Changes the limit; false once the heap has been used (as CUDA demands).
  bool set_limit(size_t limit);
  bool contains(const void *pointer) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hel::cpu::exec
