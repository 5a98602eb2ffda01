// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/core/context.h"

#include "base/log.h"
#include "base/thread_value.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/graph/capture.h"
#include "drivers/cpu/memory/registry.h"

#include <algorithm>
#include <cstdio>

namespace hel::cpu {
namespace {

struct ThreadLocal {
  std::vector<Ref<Context>> stack;                            ///< the last one is current; entries may be null
  std::vector<std::pair<uint64_t, Ref<Stream>>> own_streams;  ///< context's unique id -> per-thread default stream
  ~ThreadLocal();
};

ThreadLocal::~ThreadLocal() {
  for (auto &[id, stream] : own_streams) {
    if (stream->alive()) {
      destroy_stream(*stream);
    }
  }
}

ThreadLocal &thread_local_state() { return thread_value<ThreadLocal, ThreadLocal>(); }

}  // namespace

Context::Context(Device &device, unsigned flags, bool primary) : device_(device), primary_(primary), flags_(flags) {
  reset_state();
}

Context::~Context() { delete heap_.load(std::memory_order_relaxed); }

void Context::reset_state() {
  for (auto &limit : limits_) {
    limit.store(0, std::memory_order_relaxed);
  }
  set_limit(CU_LIMIT_STACK_SIZE, 1024);
  set_limit(CU_LIMIT_PRINTF_FIFO_SIZE, 1u << 20);
  set_limit(CU_LIMIT_MALLOC_HEAP_SIZE, 8u << 20);
  set_limit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048);
  set_limit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 128);
  cache_config = CU_FUNC_CACHE_PREFER_NONE;
  shared_config = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
  peers = 0;
}

void Context::activate() {
  if (!legacy_) {
    Result<Ref<Stream>> made = publish(new Stream(*this, Stream::Kind::Legacy, CU_STREAM_DEFAULT, 0));
    HEL_ENSURE(made, "no handle for a default stream");
    legacy_ = made.take();
  }
  active_.store(true, std::memory_order_release);
}

void Context::close() {
  synchronize();
  for (uint32_t left; (left = pending_.load(std::memory_order_acquire)) != 0;) {
    pending_.wait(left, std::memory_order_acquire);
  }
  active_.store(false, std::memory_order_release);
  std::vector<Ref<Stream>> streams;
  std::unordered_map<void *, Tag> children;
  {
    Lock lock(mutex_);
    streams.swap(streams_);
    children.swap(children_);
    orphans_.clear();
    gates_.clear();
  }
  for (const Ref<Stream> &stream : streams) {
    if (stream->captured()) {
      abandon_capture(*stream);
    }
    (void)retire<Stream>(stream->handle());
  }
  if (legacy_ && !primary_) {  // a primary context keeps its own: another thread may be about to use it
    (void)retire<Stream>(legacy_->handle());
    legacy_ = nullptr;
  }
  for (auto [handle, tag] : children) {
    if (Object *object = HandleArena::instance().retire(handle, tag)) {
      object->owner_gone();
      HandleArena::release(object);
    }
  }
  release_memory_of(*this);
  {
    Lock lock(heap_mutex_);
    delete heap_.exchange(nullptr);
  }
  fault_code_.store(CUDA_SUCCESS, std::memory_order_release);
  reset_state();
}

void Context::set_fault(CUresult code, std::string text) {
  Lock lock(mutex_);
  if (faulted()) {
    return;
  }
  std::fprintf(stderr, "%s\n", text.c_str());
  fault_text_ = std::move(text);
  fault_code_.store(code, std::memory_order_release);
}

Result<void> Context::refuse() const {
  if (!active() || !alive()) {
    return HEL_FAIL(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context was destroyed or reset");
  }
  Lock lock(mutex_);
  return HEL_FAIL_KIND(fault_code(), KernelFault, "an earlier kernel of this context faulted: %s", fault_text_.c_str());
}

void Context::command_finished() {
  if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    pending_.notify_all();
  }
}

std::vector<CommandRef> Context::tails() {
  std::vector<CommandRef> tails;
  Lock lock(mutex_);
  if (legacy_) {
    tails.push_back(legacy_->last());
  }
  for (const Ref<Stream> &stream : streams_) {
    tails.push_back(stream->last());
  }
  std::erase_if(orphans_, [](const CommandRef &command) { return command->done(); });
  tails.insert(tails.end(), orphans_.begin(), orphans_.end());
  return tails;
}

void Context::synchronize() {
  if (idle()) {
    return;
  }
  for (const CommandRef &command : tails()) {
    if (command) {
      command->wait();
    }
  }
}

Result<Ref<Stream>> Context::per_thread_stream() {
  auto &own = thread_local_state().own_streams;
  for (auto &[id, stream] : own) {
    if (id == unique_id() && stream->alive()) {
      return stream;
    }
  }
  std::erase_if(own, [](const auto &entry) { return !entry.second->alive(); });
  Ref<Stream> stream = HEL_TRY(publish(new Stream(*this, Stream::Kind::PerThread, CU_STREAM_DEFAULT, 0)));
  add_stream(*stream);
  own.emplace_back(unique_id(), stream);
  return stream;
}

void Context::add_stream(Stream &stream) {
  std::vector<CommandRef> gates;
  {
    Lock lock(mutex_);
    streams_.push_back(Ref<Stream>(stream));
    gates = gates_;
  }
  for (const CommandRef &gate : gates) {
    if (!gate->done()) {
      stream.enqueue(CommandRef::adopt(new FenceCommand(*this)), Command::Place::Caller, gate);
    }
  }
}

void Context::gate(const CommandRef &command) {
  {
    Lock lock(mutex_);
    std::erase_if(gates_, [](const CommandRef &old) { return old->done(); });
    gates_.push_back(command);
  }
  for (const Ref<Stream> &stream : all_streams()) {
    stream->enqueue(CommandRef::adopt(new FenceCommand(*this)), Command::Place::Caller, command);
  }
}

void Context::remove_stream(Stream &stream) {
  CommandRef last = stream.last();
  Lock lock(mutex_);
  std::erase_if(streams_, [&](const Ref<Stream> &s) { return s.get() == &stream; });
  std::erase_if(orphans_, [](const CommandRef &command) { return command->done(); });
  if (last && !last->done()) {
    orphans_.push_back(last);
  }
}

std::vector<CommandRef> Context::blocking_tails() {
  std::vector<CommandRef> tails;
  Lock lock(mutex_);
  for (const Ref<Stream> &stream : streams_) {
    if (stream->blocking()) {
      if (CommandRef last = stream->last(); last && !last->done()) {
        tails.push_back(std::move(last));
      }
    }
  }
  for (const CommandRef &command : orphans_) {
    tails.push_back(command);
  }
  return tails;
}

std::vector<Ref<Stream>> Context::all_streams() {
  Lock lock(mutex_);
  std::vector<Ref<Stream>> streams = streams_;
  streams.push_back(legacy_);
  return streams;
}

exec::DeviceHeap &Context::make_heap() {
  Lock lock(heap_mutex_);
  exec::DeviceHeap *heap = heap_.load(std::memory_order_relaxed);
  if (heap == nullptr) {
    heap = new exec::DeviceHeap(limit(CU_LIMIT_MALLOC_HEAP_SIZE));
    heap_.store(heap, std::memory_order_release);
  }
  return *heap;
}

Result<void> Context::set_heap_limit(size_t bytes) {
  if (!heap().set_limit(bytes)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the heap of kernels is in use and cannot change its size");
  }
  return {};
}

void Context::add_child(const Object &child, Tag tag) {
  Lock lock(mutex_);
  children_.emplace(child.raw_handle(), tag);
}

void Context::remove_child(const Object &child) {
  Lock lock(mutex_);
  children_.erase(child.raw_handle());
}

Ref<Context> current_context_or_null() {
  auto &stack = thread_local_state().stack;
  return stack.empty() ? Ref<Context>() : stack.back();
}

CUcontext current_context_handle() {
  const auto &stack = thread_local_state().stack;
  return stack.empty() || !stack.back() ? nullptr : stack.back()->handle();
}

Result<Context *> current_context() {
  HEL_TRY(check_initialized());
  auto &stack = thread_local_state().stack;
  if (stack.empty() || !stack.back()) [[unlikely]] {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "no context is current to this thread");
  }
  Context *context = stack.back().get();
  HEL_TRY(context->check());
  return context;
}

void set_current_context(Ref<Context> context) {
  auto &stack = thread_local_state().stack;
  if (!stack.empty()) {
    stack.pop_back();
  }
  if (context) {
    stack.push_back(std::move(context));
  }
}

void push_current_context(Ref<Context> context) { thread_local_state().stack.push_back(std::move(context)); }

Ref<Context> pop_current_context() {
  auto &stack = thread_local_state().stack;
  if (stack.empty()) {
    return nullptr;
  }
  Ref<Context> top = std::move(stack.back());
  stack.pop_back();
  return top;
}

Result<Ref<Context>> find_context(CUcontext handle) {
  Ref<Context> context = HEL_TRY(find<Context>(handle));
  HEL_TRY(context->check());
  return context;
}

}  // namespace hel::cpu
