// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/core/stream.h"

#include "base/default_stream.h"
#include "base/log.h"
#include "base/platform_variable.h"
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/graph/capture.h"

namespace hel::cpu {

Stream::Stream(Context &context, Kind kind, unsigned flags, int priority)
    : context_(Ref<Context>(context)), kind_(kind), flags_(flags), priority_(priority) {}

Stream::~Stream() = default;

void Stream::set_captured(bool captured) {
  if (captured_.exchange(captured) != captured && blocking()) {
    context_->captured_blocking_streams.fetch_add(captured ? 1 : -1u);
  }
}

// What a command waits for is read before the command becomes visible as its stream's last one. So two streams never
// wait for each other, whatever other threads queue meanwhile.
void Stream::append(const CommandRef &command, const CommandRef &extra) {
  command->set_owner(this);
  HEL_LOG(stream, 1, "queue stream=%llu command=%s", static_cast<unsigned long long>(unique_id()), command->name());
  command->after(extra);
  const bool alone = context_->idle();  // then none of the streams has anything that is not done
  if (kind_ == Kind::Legacy && !alone) {
    for (const CommandRef &tail : context_->blocking_tails()) {
      command->after(tail);
    }
  }
  CommandRef before = command;
  {
    Lock lock(mutex_);
    if (blocking() && !alone) {
      command->after(context_->legacy_stream().last());
    }
    command->after(last_);
    std::swap(last_, before);
  }
}

void Stream::enqueue(const CommandRef &command, Command::Place place, const CommandRef &extra) {
  append(command, extra);
  command->release(place);
}

CommandRef Stream::last() {
  Lock lock(mutex_);
  if (last_ && last_->done()) {
    last_ = nullptr;
  }
  return last_;
}

bool Stream::idle() {
  if (context_->idle()) {
    return true;
  }
  if (CommandRef tail = last(); tail && !tail->done()) {
    return false;
  }
  return kind_ != Kind::Legacy || context_->blocking_tails().empty();
}

bool Stream::clear() { return idle() && (!blocking() || context_->idle() || !context_->legacy_stream().last()); }

CommandRef Stream::frontier() {
  if (clear()) {
    return nullptr;
  }
  if (kind_ != Kind::Legacy && !(blocking() && context_->legacy_stream().last())) {
    return last();
  }
  CommandRef fence = CommandRef::adopt(new FenceCommand(*context_));
  enqueue(fence, Command::Place::Caller);
  return fence;
}

void Stream::synchronize() {
  if (kind_ == Kind::Legacy && !context_->blocking_tails().empty()) {
    CommandRef fence = CommandRef::adopt(new FenceCommand(*context_));
    enqueue(fence, Command::Place::Caller);
    fence->wait();
    return;
  }
  if (CommandRef tail = last()) {
    tail->wait();
  }
}

namespace {

Result<HeldStream> resolve_stream(CUstream handle) {
  if (handle == CU_STREAM_LEGACY || (handle == nullptr && !null_stream_is_per_thread())) {
    Context *context = HEL_TRY(current_context());
    return HeldStream(context->legacy_stream());
  }
  if (handle == nullptr || handle == CU_STREAM_PER_THREAD) {
    Context *context = HEL_TRY(current_context());
    return HeldStream(*HEL_TRY(context->per_thread_stream()));
  }
  HEL_TRY(check_initialized());
  Ref<Stream> stream = HEL_TRY(find<Stream>(handle));
  HEL_TRY(stream->context().check());
  return HeldStream(std::move(stream));
}

}  // namespace

Result<Ref<Stream>> find_stream(CUstream handle, StreamUse use) { return HEL_TRY(hold_stream(handle, use)).counted(); }

Result<HeldStream> hold_stream(CUstream handle, StreamUse use) {
  HeldStream stream = HEL_TRY(resolve_stream(handle));
  if (use == StreamUse::Look || running_captures.load(std::memory_order_relaxed) == 0) {
    return stream;
  }
  if (stream->kind() == Stream::Kind::Legacy) {
    HEL_TRY(check_legacy_stream(stream->context()));
  }
  if (use == StreamUse::Wait) {
    if (stream->captured()) {
      return refuse_in_capture(*stream, "waiting for a stream");
    }
    HEL_TRY(check_unsafe_call("waiting for a stream"));
  }
  return stream;
}

void destroy_stream(Stream &stream) {
  if (stream.captured()) {
    abandon_capture(stream);
  }
  stream.context().remove_stream(stream);
  (void)retire<Stream>(stream.handle());
}

bool launch_blocking() {
  static const bool blocking = is_on(PlatformVariable::LaunchBlocking);
  return blocking;
}

}  // namespace hel::cpu
