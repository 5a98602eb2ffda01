// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of commands: what must have happened before a command may.
#include "base/log.h"
#include "drivers/null/state.h"

namespace hel::null {
namespace {

bool is_legacy(const Stream *stream) { return stream == stream->context->streams[0]; }

bool follows_legacy(const Stream *stream) { return (stream->flags & CU_STREAM_NON_BLOCKING) == 0; }

void add_last(std::vector<Command *> &after, const Stream *stream) {
  if (!stream->queue.empty()) {
    after.push_back(stream->queue.back());
  }
}

}  // namespace

State &state() {
  static State *const made = new State;
  return *made;
}

std::vector<std::string> take_record() {
  Lock lock(state().mutex);
  return std::exchange(state().record, {});
}

Command *enqueue(Stream *stream, const std::string &text, std::function<void()> work) {
  auto command = std::make_unique<Command>();
  command->text = stream->name + ": " + text;
  command->work = std::move(work);
  add_last(command->after, stream);
  if (is_legacy(stream)) {
    // The legacy default stream waits for every blocking stream …
    for (const Stream *other : stream->context->streams) {
      if (other != stream && follows_legacy(other)) {
        add_last(command->after, other);
      }
    }
  } else if (follows_legacy(stream)) {
    // … and every blocking stream waits for it.
    add_last(command->after, stream->context->streams[0]);
  }
  Command *queued = command.get();
  stream->queue.push_back(queued);
  state().commands.push_back(std::move(command));
  HEL_LOG(stream, 1, "queued %s", queued->text.c_str());
  return queued;
}

void perform(Command *command) {
  if (command->done) {
    return;
  }
  command->done = true;
  for (Command *before : command->after) {
    perform(before);
  }
  if (command->work) {
    command->work();
  }
  state().record.push_back(command->text);
  HEL_LOG(stream, 1, "done %s", command->text.c_str());
}

void drain(Stream *stream) {
  if (!stream->queue.empty()) {
    perform(stream->queue.back());
  }
}

void drain_all(Context *context) {
  for (Stream *stream : context->streams) {
    drain(stream);
  }
}

}  // namespace hel::null
