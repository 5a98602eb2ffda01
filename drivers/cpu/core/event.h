// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: an event is the last command that recorded it; that command notes the time at which it ran. Where the stream
// has nothing left to do, the time is noted at once, and there is no command.
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/core/command.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/memory/ipc.h"

#include <cuda.h>

#include <atomic>
#include <memory>

namespace hel::cpu {

struct CapturedRecord;
class Context;
class Stream;

/// Notes the time. Runs in faulted contexts too, so that nobody waits for ever.
class RecordCommand : public Command {
public:
  using Command::Command;
  static uint64_t now();
  uint64_t nanoseconds() const { return nanoseconds_; }  ///< after done()
  const char *name() const override { return "event"; }

protected:
  Progress run() override;
  bool runs_after_fault() const override { return true; }

private:
  uint64_t nanoseconds_ = 0;
};

class Event;

/// Reaches a recording of an event that other processes see.
class SharedRecordCommand : public RecordCommand {
public:
  SharedRecordCommand(Context &context, Ref<Event> event, uint32_t record);

protected:
  Progress run() override;

private:
  const Ref<Event> event_;
  const uint32_t record_;
};

class Event : public HandleObject<Event, Tag::Event> {
public:
  /// `shared`: the state that other processes see, for CU_EVENT_INTERPROCESS.
  Event(Context &context, unsigned flags, std::unique_ptr<SharedEventPage> shared)
      : context_(context), flags_(flags), shared_(std::move(shared)) {}
  Context &context() const { return context_; }
  unsigned flags() const { return flags_; }

  void record(Stream &stream);
  /// What was recorded last is reached, here or in the process that did it.
  bool done();
  void wait();
  /// Null for an event of this process alone.
  SharedEventPage *shared() const { return shared_.get(); }
  /// The recording of a graph's node, which releases it when it is reached.
  CommandRef begin_record(Context &context);
  /// The last recording was captured: the event stands for nodes of a graph.
  bool captured() const { return captured_.load(std::memory_order_acquire); }
  void set_captured(std::shared_ptr<CapturedRecord> record);
  std::shared_ptr<CapturedRecord> captured_record();
  /// Captures all work of the context.
  Result<void> record_all(Context &context);
  /// `stream` goes on after the last recording; nothing if there is none.
  void make_wait(Stream &stream);
  /// What a wait for the last recording waits for; null when that is nothing.
  CommandRef awaited(Context &context);
  /// What is to be waited for; null when that is nothing.
  CommandRef last_record();
  /// When the last recording was reached. Fails when there is none, or it is not reached yet.
  Result<uint64_t> reached_at();

private:
  void record_now();

  Context &context_;  ///< its close() ends the event
  const unsigned flags_;
  const std::unique_ptr<SharedEventPage> shared_;
  Mutex mutex_;
  CommandRef last_ HEL_GUARDED_BY(mutex_);           ///< null: nothing is to be waited for
  bool recorded_ HEL_GUARDED_BY(mutex_) = false;     ///< ever
  uint64_t nanoseconds_ HEL_GUARDED_BY(mutex_) = 0;  ///< of a recording without a command
  std::atomic<bool> captured_{false};
  std::atomic<bool> settled_{false};  ///< the last recording left nothing to wait for, and was not captured
  std::shared_ptr<CapturedRecord> captured_record_ HEL_GUARDED_BY(mutex_);
};

}  // namespace hel::cpu
