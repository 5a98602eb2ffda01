// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/core/event.h"

#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/graph/capture.h"
#include "drivers/cpu/memory/pool.h"
#include "helicon/gen/cpu_impl.h"

#include <chrono>

namespace hel::cpu {

uint64_t RecordCommand::now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

Command::Progress RecordCommand::run() {
  nanoseconds_ = now();
  return Progress::Done;
}

namespace {

/// Waits for a recording in another process; on the thread that may block.
class SharedWaitCommand : public Command {
public:
  SharedWaitCommand(Context &context, Ref<Event> event, uint32_t record)
      : Command(context), event_(std::move(event)), record_(record) {}
  const char *name() const override { return "wait for another process"; }
  bool may_block() const override { return true; }

protected:
  Progress run() override {
    event_->shared()->event().wait(record_);
    return Progress::Done;
  }

private:
  const Ref<Event> event_;
  const uint32_t record_;
};

Result<void> check_state_may_be_asked(Event &event) {
  if (event.captured()) {
    return refuse_captured_event(event);
  }
  return check_unsafe_call("asking for the state of an event");
}

CommandRef make_record(Context &context, Event &event) {
  if (event.shared() == nullptr) {
    return CommandRef::adopt(new RecordCommand(context));
  }
  const uint32_t record = event.shared()->event().recorded.fetch_add(1, std::memory_order_acq_rel) + 1;
  return CommandRef::adopt(new SharedRecordCommand(context, Ref<Event>(event), record));
}

}  // namespace

SharedRecordCommand::SharedRecordCommand(Context &context, Ref<Event> event, uint32_t record)
    : RecordCommand(context), event_(std::move(event)), record_(record) {}

Command::Progress SharedRecordCommand::run() {
  event_->shared()->event().reach(record_);
  return RecordCommand::run();
}

bool Event::done() {
  if (shared_ != nullptr) {
    return shared_->event().done();
  }
  CommandRef record = last_record();
  return !record || record->done();
}

void Event::wait() {
  if (shared_ != nullptr) {
    shared_->event().wait(shared_->event().recorded.load(std::memory_order_acquire));
  } else if (CommandRef record = last_record()) {
    record->wait();
  }
}

CommandRef Event::begin_record(Context &context) {
  CommandRef command = make_record(context, *this);
  std::shared_ptr<CapturedRecord> old;  // outlives the lock
  Lock lock(mutex_);
  settled_.store(false, std::memory_order_release);
  last_ = command;
  recorded_ = true;
  captured_.store(false, std::memory_order_release);
  old.swap(captured_record_);
  return command;
}

/// Everything before is done.
void Event::record_now() {
  const bool timed = (flags_ & CU_EVENT_DISABLE_TIMING) == 0;
  if (!timed && settled_.load(std::memory_order_acquire)) {
    return;  // it would find everything as it leaves it
  }
  const uint64_t now = timed ? RecordCommand::now() : 0;
  std::shared_ptr<CapturedRecord> old;  // both outlive the lock
  CommandRef before;
  Lock lock(mutex_);
  std::swap(last_, before);
  recorded_ = true;
  nanoseconds_ = now;
  if (captured_.load(std::memory_order_relaxed)) {
    captured_.store(false, std::memory_order_release);
    old.swap(captured_record_);
  }
  settled_.store(true, std::memory_order_release);
}

void Event::set_captured(std::shared_ptr<CapturedRecord> record) {
  Lock lock(mutex_);
  captured_record_.swap(record);
  settled_.store(false, std::memory_order_release);
  captured_.store(true, std::memory_order_release);
}

std::shared_ptr<CapturedRecord> Event::captured_record() {
  Lock lock(mutex_);
  return captured_record_;
}

void Event::record(Stream &stream) {
  if (shared_ == nullptr && stream.clear()) {
    record_now();
    return;
  }
  CommandRef command = begin_record(stream.context());
  stream.enqueue(command, Command::Place::Caller);
}

Result<void> Event::record_all(Context &context) {
  CommandRef command = begin_record(context);
  for (const CommandRef &tail : context.tails()) {
    command->after(tail);
  }
  command->release(Command::Place::Caller);
  return {};
}

void Event::make_wait(Stream &stream) {
  if (shared_ != nullptr) {
    const uint32_t wanted = shared_->event().recorded.load(std::memory_order_acquire);
    if (!shared_->event().done(wanted)) {
      stream.enqueue(CommandRef::adopt(new SharedWaitCommand(stream.context(), Ref<Event>(*this), wanted)),
                     Command::Place::Worker);
    }
    return;
  }
  CommandRef record = last_record();
  if (record && !record->done()) {
    stream.enqueue(CommandRef::adopt(new FenceCommand(stream.context())), Command::Place::Caller, record);
  }
}

CommandRef Event::awaited(Context &context) {
  if (shared_ == nullptr) {
    CommandRef record = last_record();
    return record && !record->done() ? record : nullptr;
  }
  const uint32_t wanted = shared_->event().recorded.load(std::memory_order_acquire);
  if (shared_->event().done(wanted)) {
    return nullptr;
  }
  CommandRef wait = CommandRef::adopt(new SharedWaitCommand(context, Ref<Event>(*this), wanted));
  wait->release(Command::Place::Worker);
  return wait;
}

CommandRef Event::last_record() {
  if (settled_.load(std::memory_order_acquire)) {
    return nullptr;
  }
  Lock lock(mutex_);
  return last_;
}

Result<uint64_t> Event::reached_at() {
  Lock lock(mutex_);
  if (!recorded_) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "an event was never recorded");
  }
  if (!last_) {
    return nanoseconds_;
  }
  if (!last_->done()) {
    return HEL_FAIL(CUDA_ERROR_NOT_READY, "an event is not finished");
  }
  return static_cast<const RecordCommand &>(*last_).nanoseconds();
}

Result<void> event_create(CUevent *phEvent, unsigned int Flags) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(phEvent, "phEvent"));
  HEL_TRY(check_flags(Flags, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
  std::unique_ptr<SharedEventPage> shared;
  if ((Flags & CU_EVENT_INTERPROCESS) != 0) {
    if ((Flags & CU_EVENT_DISABLE_TIMING) == 0) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "an event for several processes must disable timing");
    }
    shared.reset(HEL_TRY(SharedEventPage::create()));
  }
  Ref<Event> event = HEL_TRY(publish(new Event(*context, Flags, std::move(shared))));
  context->add_child(*event, Tag::Event);
  *phEvent = event->handle();
  return {};
}

Result<void> event_destroy(CUevent hEvent) {
  HEL_TRY(check_initialized());
  Ref<Event> event = HEL_TRY(find<Event>(hEvent));
  event->context().remove_child(*event);
  HEL_TRY(retire<Event>(hEvent));
  return {};
}

Result<void> event_record(CUevent hEvent, CUstream hStream) {
  return event_record_with_flags(hEvent, hStream, CU_EVENT_RECORD_DEFAULT);
}

Result<void> event_record_with_flags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  HEL_TRY(check_flags(flags, CU_EVENT_RECORD_EXTERNAL));
  HeldStream stream = HEL_TRY(hold_stream(hStream, StreamUse::Work));
  Ref<Event> event = HEL_TRY(find<Event>(hEvent));
  if (&event->context() != &stream->context()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the event and the stream belong to different contexts");
  }
  if (stream->captured()) {
    return flags == CU_EVENT_RECORD_EXTERNAL ? capture(*stream, RecordWork{event}) : capture_record(*stream, *event);
  }
  if (flags == CU_EVENT_RECORD_EXTERNAL) {
    return HEL_FAIL(CUDA_ERROR_ILLEGAL_STATE, "an external recording is possible only while the stream is captured");
  }
  event->record(*stream);
  return {};
}

Result<void> event_query(CUevent hEvent) {
  HEL_TRY(check_initialized());
  Ref<Event> event = HEL_TRY(find<Event>(hEvent));
  HEL_TRY(event->context().check());
  HEL_TRY(check_state_may_be_asked(*event));
  if (!event->done()) {
    return HEL_FAIL(CUDA_ERROR_NOT_READY, "work before the event is not finished");
  }
  return {};
}

Result<void> event_synchronize(CUevent hEvent) {
  HEL_TRY(check_initialized());
  Ref<Event> event = HEL_TRY(find<Event>(hEvent));
  HEL_TRY(event->context().check());
  HEL_TRY(check_state_may_be_asked(*event));
  event->wait();
  trim_pools(event->context().device());
  return event->context().check();
}

Result<void> event_elapsed_time(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pMilliseconds, "pMilliseconds"));
  Ref<Event> start = HEL_TRY(find<Event>(hStart));
  Ref<Event> end = HEL_TRY(find<Event>(hEnd));
  HEL_TRY(start->context().check());
  HEL_TRY(end->context().check());
  for (const Ref<Event> &event : {start, end}) {
    if (event->captured()) {
      return refuse_captured_event(*event);
    }
  }
  if (&start->context() != &end->context()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the events belong to different contexts");
  }
  if (((start->flags() | end->flags()) & CU_EVENT_DISABLE_TIMING) != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "an event was created with timing disabled");
  }
  Result<uint64_t> first = start->reached_at(), last = end->reached_at();
  for (Result<uint64_t> *time : {&first, &last}) {
    if (!*time && time->failure().code != CUDA_ERROR_NOT_READY) {
      return time->take_failure();  // before the other one is not ready
    }
  }
  const auto elapsed = static_cast<int64_t>(HEL_TRY(std::move(last)) - HEL_TRY(std::move(first)));
  *pMilliseconds = static_cast<float>(static_cast<double>(elapsed) * 1e-6);
  return {};
}

}  // namespace hel::cpu
