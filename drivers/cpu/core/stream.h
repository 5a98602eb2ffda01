// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: who waits for whom. A stream is its last command; order between streams is made of Command::after alone.
//
//   legacy default stream   waits for all blocking streams; they wait for it
//   blocking streams        CU_STREAM_DEFAULT ones and the per-thread default streams
//   non-blocking streams    wait only for what they are told to
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/core/command.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/handle.h"

#include <cuda.h>

namespace hel::cpu {

/// Does nothing, in order. Passes in faulted contexts too, so that nobody waits for ever.
class FenceCommand : public Command {
public:
  using Command::Command;
  const char *name() const override { return "fence"; }

protected:
  Progress run() override { return Progress::Done; }
  bool runs_after_fault() const override { return true; }
};

struct StreamCapture;

class Stream : public HandleObject<Stream, Tag::Stream> {
public:
  enum class Kind { Legacy, PerThread, User };
  Stream(Context &context, Kind kind, unsigned flags, int priority);
  ~Stream() override;

  Context &context() const { return *context_; }
  Kind kind() const { return kind_; }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_.load(std::memory_order_relaxed); }
  void set_priority(int priority) { priority_.store(priority, std::memory_order_relaxed); }
  /// Synchronises with the legacy default stream.
  bool blocking() const { return kind_ != Kind::Legacy && (flags_ & CU_STREAM_NON_BLOCKING) == 0; }

  /// Gives a command its place behind all others, without starting it: release() has to follow. `extra`, if any, is
  /// awaited too.
  void append(const CommandRef &command, const CommandRef &extra = nullptr);
  /// The same, and releases it.
  void enqueue(const CommandRef &command, Command::Place place, const CommandRef &extra = nullptr);
  CommandRef last();
  /// Everything that was queued has finished; of the legacy stream: what it would wait for as well.
  bool idle();
  /// A command that is queued now would wait for nothing.
  bool clear();
  /// A command that is done once everything is that a command queued now would wait for; null if that is nothing.
  CommandRef frontier();
  void synchronize();

  /// Work goes to a graph instead (graph/capture.h).
  bool captured() const { return captured_.load(std::memory_order_acquire); }
  void set_captured(bool captured);
  std::unique_ptr<StreamCapture> capture;  ///< guarded by graph_mutex

  /// Accepted and kept; only the priority and the synchronisation policy have an effect.
  Mutex attributes_mutex;
  CUaccessPolicyWindow access_window HEL_GUARDED_BY(attributes_mutex) = {};
  CUsynchronizationPolicy sync_policy HEL_GUARDED_BY(attributes_mutex) = CU_SYNC_POLICY_AUTO;
  CUlaunchMemSyncDomain sync_domain HEL_GUARDED_BY(attributes_mutex) = CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT;
  CUlaunchMemSyncDomainMap sync_domain_map HEL_GUARDED_BY(attributes_mutex) = {0, 1};

private:
  const Ref<Context> context_;  ///< a cycle that Context::close() cuts
  const Kind kind_;
  const unsigned flags_;
  std::atomic<int> priority_;
  std::atomic<bool> captured_{false};
  Mutex mutex_;
  CommandRef last_ HEL_GUARDED_BY(mutex_);
};

/// What a call wants of a stream. Some of it is not possible while streams are captured.
enum class StreamUse {
  Look,  ///< only facts about the stream itself
  Work,  ///< queues something, unless the stream is captured
  Wait,  ///< waits for it, or asks whether it is done
};

/// The stream that a handle means in the calling thread: 0 (a default stream), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD,
/// or a stream's handle.
Result<Ref<Stream>> find_stream(CUstream handle, StreamUse use = StreamUse::Look);
/// A stream for the time of one call. Default streams are not counted: the context, or the thread, keeps its own.
class HEL_IN_REGISTERS HeldStream {
public:
  HeldStream() = default;
  explicit HeldStream(Stream &of_this_thread) : stream_(&of_this_thread) {}
  explicit HeldStream(Ref<Stream> counted) : counted_(std::move(counted)), stream_(counted_.get()) {}
  Stream *operator->() const { return stream_; }
  Stream &operator*() const { return *stream_; }
  Ref<Stream> counted() && { return counted_ ? std::move(counted_) : Ref<Stream>(*stream_); }

private:
  Ref<Stream> counted_;
  Stream *stream_ = nullptr;
};

/// What find_stream finds, for calls that are made very often.
Result<HeldStream> hold_stream(CUstream handle, StreamUse use);
/// Ends the handle; queued commands still run.
void destroy_stream(Stream &stream);
/// CUDA_LAUNCH_BLOCKING or MUSA_LAUNCH_BLOCKING.
bool launch_blocking();

}  // namespace hel::cpu
