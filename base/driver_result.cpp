// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/driver_result.h"

#include "base/log.h"
#include "base/thread_value.h"

namespace hel {
namespace {

std::string &message_of_thread() {
  struct Message;
  return thread_value<std::string, Message, DynamicSlot>();
}

}  // namespace

DriverCode fail_driver(const char *name, Failure &failure) {
  HEL_LOG(api, 2, "driver=%s code=%d at=%s:%d message=\"%s\"", name, failure.code, failure.file, failure.line,
          failure.message.c_str());
  message_of_thread() = std::move(failure.message);
  return {failure.code};
}

const std::string &last_driver_message() { return message_of_thread(); }

void set_last_driver_message(std::string message) { message_of_thread() = std::move(message); }

}  // namespace hel
