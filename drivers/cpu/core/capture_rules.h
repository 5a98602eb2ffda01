// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What running captures (graph/capture.h) forbid to calls that have nothing else to do with them. Each failure makes
// the captures invalid that it is about.
#pragma once

#include "base/result.h"

#include <atomic>
#include <cstdint>

namespace hel::cpu {

class Context;
class Stream;

/// Captures in the process; while there are none nothing else is looked at.
extern std::atomic<uint32_t> running_captures;

/// The stream is in a capture, and the call cannot become a node.
std::unique_ptr<Failure> refuse_in_capture(Stream &stream, const char *what);
/// Work of the legacy stream, or a wait for it, while a blocking stream of its context is captured.
Result<void> check_legacy_stream(Context &context);
/// A wait for a whole context.
Result<void> check_no_captured_stream(Context &context);
/// A call that might do something behind the capture's back, such as an allocation: forbidden by the modes of the
/// captures and of the calling thread.
Result<void> check_unsafe_call_slow(const char *what);
inline Result<void> check_unsafe_call(const char *what) {
  return running_captures.load(std::memory_order_relaxed) == 0 ? Result<void>() : check_unsafe_call_slow(what);
}

}  // namespace hel::cpu
