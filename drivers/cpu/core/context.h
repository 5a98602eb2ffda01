// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context: the owner of streams, events, modules and memory on one device, and the place of the sticky error.
//
//   process ─► Device ─► Context ─► streams, events, modules, arrays, memory pools, allocations
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/core/command.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/exec/device_heap.h"

#include <cuda.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace hel::cpu {

struct Device;
class Stream;

class Context : public HandleObject<Context, Tag::Context> {
public:
  Context(Device &device, unsigned flags, bool primary);
  ~Context() override;

  Device &device() const { return device_; }
  bool primary() const { return primary_; }
  /// A primary context keeps its handle for the life of the process and is switched on and off.
  bool active() const { return active_.load(std::memory_order_acquire); }
  void activate();
  /// Waits for all commands, then ends every handle and frees all memory of the context.
  void close();

  unsigned flags() const { return flags_.load(std::memory_order_relaxed); }
  void set_flags(unsigned flags) { flags_.store(flags, std::memory_order_relaxed); }

  /// The sticky error of a kernel that faulted.
  bool faulted() const { return fault_code_.load(std::memory_order_acquire) != CUDA_SUCCESS; }
  CUresult fault_code() const { return fault_code_.load(std::memory_order_acquire); }
  void set_fault(CUresult code, std::string text);
  /// Fails with the sticky error, or because the context is gone.
  Result<void> check() const {
    if (active() && alive() && !faulted()) [[likely]] {
      return {};
    }
    return refuse();
  }

  /// Counted by Command alone.
  void command_queued() { pending_.fetch_add(1, std::memory_order_relaxed); }
  void command_finished();
  /// Blocks until everything that was queued before has finished.
  void synchronize();
  bool idle() const { return pending_.load(std::memory_order_acquire) == 0; }

  Stream &legacy_stream() const { return *legacy_; }
  /// The calling thread's own default stream, made at first use.
  Result<Ref<Stream>> per_thread_stream();
  void add_stream(Stream &stream);
  /// Everything that is queued from now on, in streams that come later too, waits for `command`.
  void gate(const CommandRef &command);
  /// `stream` takes no more commands; those that it has are finished.
  void remove_stream(Stream &stream);
  /// The legacy default stream and all others.
  std::vector<Ref<Stream>> all_streams();
  /// The last commands of all streams, of destroyed ones too.
  std::vector<CommandRef> tails();
  /// The last commands of the streams that synchronise with the legacy stream.
  std::vector<CommandRef> blocking_tails();

  /// Handles that end with the context.
  void add_child(const Object &child, Tag tag);
  void remove_child(const Object &child);

  size_t limit(CUlimit which) const { return limits_[which].load(std::memory_order_relaxed); }
  void set_limit(CUlimit which, size_t value) { limits_[which].store(value, std::memory_order_relaxed); }
  /// cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE): only before the first kernel that uses the heap.
  Result<void> set_heap_limit(size_t bytes);
  exec::DeviceHeap &heap() {
    exec::DeviceHeap *made = heap_.load(std::memory_order_acquire);
    return made != nullptr ? *made : make_heap();
  }
  std::atomic<CUfunc_cache> cache_config{CU_FUNC_CACHE_PREFER_NONE};
  std::atomic<CUsharedconfig> shared_config{CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE};
  /// Users by cuCtxCreate, cuCtxAttach, cuCtxDetach.
  std::atomic<unsigned> attachments{1};
  /// Bit i: this context may reach device i's memory (cuCtxEnablePeerAccess).
  std::atomic<uint64_t> peers{0};
  std::atomic<uint32_t> captured_blocking_streams{0};  ///< counted by Stream

private:
  [[gnu::cold]] Result<void> refuse() const;
  void reset_state();
  exec::DeviceHeap &make_heap();
  Device &device_;
  const bool primary_;
  std::atomic<bool> active_{true};
  std::atomic<unsigned> flags_;
  std::atomic<CUresult> fault_code_{CUDA_SUCCESS};  ///< written once, after fault_text_
  std::atomic<uint32_t> pending_{0};                ///< commands queued and not finished
  std::atomic<size_t> limits_[CU_LIMIT_MAX] = {};
  Ref<Stream> legacy_;
  Mutex heap_mutex_;                               ///< held to make the heap and to end it
  std::atomic<exec::DeviceHeap *> heap_{nullptr};  ///< made at first use
  mutable Mutex mutex_;
  std::string fault_text_ HEL_GUARDED_BY(mutex_);
  std::vector<Ref<Stream>> streams_ HEL_GUARDED_BY(mutex_);
  std::vector<CommandRef> orphans_ HEL_GUARDED_BY(mutex_);  ///< last commands of destroyed streams
  std::vector<CommandRef> gates_ HEL_GUARDED_BY(mutex_);    ///< what new streams wait for
  std::unordered_map<void *, Tag> children_ HEL_GUARDED_BY(mutex_);
};

/// The calling thread's current context, usable: initialised, alive, without sticky error.
Result<Context *> current_context();
/// The same without the checks; null when there is none.
Ref<Context> current_context_or_null();
CUcontext current_context_handle();
void set_current_context(Ref<Context> context);
void push_current_context(Ref<Context> context);
/// Null when the stack is empty.
Ref<Context> pop_current_context();
/// `context` if the handle is alive and its context usable.
Result<Ref<Context>> find_context(CUcontext handle);

/// Flags for a context: known bits, and one way of waiting.
Result<void> check_context_flags(unsigned flags);

}  // namespace hel::cpu
