// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sharing with other processes. What is shared becomes a file in memory; a handle says which process has it open, under
// which number. Whoever may look into that process (the same user) can open it.
#pragma once

#include "base/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hel::cpu {

struct Allocation;
class Context;

/// What the 64 bytes of the public handles hold.
struct IpcName {
  static constexpr uint64_t kMemory = 0x304D454D43504948;  // "HIPCMEM0"
  static constexpr uint64_t kEvent = 0x3054564543504948;   // "HIPCEVT0"
  uint64_t kind = 0;
  int32_t process = 0;
  int32_t file = 0;
  uint64_t bytes = 0;         ///< of the file
  uint64_t offset = 0;        ///< of the allocation in it
  uint64_t memory_bytes = 0;  ///< of the allocation
  uint64_t serial = 0;        ///< different for each file of a process
};
static_assert(sizeof(IpcName) <= 64);

/// Opens the file that a name means; the caller closes it.
Result<int> open_shared(const IpcName &name);

/// Memory of cuMemAlloc: all of it can be opened by another process.
bool is_shareable(const Allocation &allocation);
/// Turns the pages of an allocation into a shared file, if they are not one yet. The context has no unfinished work.
Result<IpcName> share_allocation(const Allocation &allocation);
/// The pages are given back.
void forget_shared(uintptr_t pages);

/// An event's state in shared memory: how often it was recorded, and the last recording that was reached.
struct SharedEvent {
  std::atomic<uint32_t> recorded;
  std::atomic<uint32_t> reached;

  /// Everything that was recorded up to now is reached.
  bool done() const { return done(recorded.load(std::memory_order_acquire)); }
  bool done(uint32_t record) const {
    return static_cast<int32_t>(reached.load(std::memory_order_acquire) - record) >= 0;
  }
  /// Blocks until `record` is reached; any process may reach it.
  void wait(uint32_t record) const;
  void reach(uint32_t record);
};

/// A SharedEvent mapped into this process.
class SharedEventPage {
public:
  static Result<SharedEventPage *> create();
  static Result<SharedEventPage *> open(const IpcName &name);
  ~SharedEventPage();
  SharedEvent &event() const { return *event_; }
  const IpcName &name() const { return name_; }

private:
  SharedEventPage(SharedEvent *event, const IpcName &name, int file) : event_(event), name_(name), file_(file) {}
  SharedEvent *const event_;
  const IpcName name_;
  const int file_;  ///< open in the process that made the event, else -1
};

}  // namespace hel::cpu
