// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: an event is the last command that recorded it; that command notes the time at which it ran.
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/core/command.h"
#include "drivers/cpu/core/handle.h"

#include <cuda.h>

namespace hel::cpu {

class Context;
class Stream;

/// Notes the time. Runs in faulted contexts too, so that nobody waits for ever.
class RecordCommand : public Command {
public:
  using Command::Command;
  uint64_t nanoseconds() const { return nanoseconds_; }  ///< after done()
  const char *name() const override { return "event"; }

protected:
  Progress run() override;
  bool runs_after_fault() const override { return true; }

private:
  uint64_t nanoseconds_ = 0;
};

class Event : public HandleObject<Event, Tag::Event> {
public:
  Event(Context &context, unsigned flags) : context_(context), flags_(flags) {}
  Context &context() const { return context_; }
  unsigned flags() const { return flags_; }

  void record(Stream &stream);
  /// Captures all work of the context.
  Result<void> record_all(Context &context);
  /// `stream` goes on after the last recording; nothing if there is none.
  void make_wait(Stream &stream);
  /// Null when it was never recorded.
  CommandRef last_record();

private:
  Context &context_;  ///< its close() ends the event
  const unsigned flags_;
  Mutex mutex_;
  CommandRef last_ HEL_GUARDED_BY(mutex_);
};

}  // namespace hel::cpu
