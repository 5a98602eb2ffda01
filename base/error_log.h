// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of failed API calls, for programs: the last messages, functions that are told each one, and the destination
// that CUDA_LOG_FILE (or MUSA_LOG_FILE) names. One for the process, below both APIs.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>

namespace hel::error_log {

enum class Level { Error, Warning };  ///< as CUlogLevel and cudaLogLevel count them

/// `message` without the line's head; kept, written and told to whoever asked for it.
void note(Level level, const char *source, std::string message);

using Receiver = void (*)(void *data, Level level, char *message, size_t length);
/// Returns a handle for remove_receiver.
void *add_receiver(Receiver receiver, void *data);
/// False: no such receiver.
bool remove_receiver(void *handle);

/// A place in the log: how many messages there have been.
uint32_t end();
/// The messages from `*from` on (null: all that are kept), one a line, and moves `*from` to the end. Of more than
/// `capacity` bytes the oldest are left out; both that and messages that are no longer kept are said in a first line.
/// False: there are messages, and not one fits.
bool read(uint32_t *from, size_t capacity, std::string *text);

}  // namespace hel::error_log
