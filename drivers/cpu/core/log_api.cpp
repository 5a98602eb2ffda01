// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: the log of failed calls.
#include "base/error_log.h"
#include "drivers/cpu/core/checks.h"
#include "helicon/gen/cpu_impl.h"

#include <cstdio>
#include <cstring>

namespace hel::cpu {

static_assert(static_cast<int>(error_log::Level::Error) == CU_LOG_LEVEL_ERROR &&
              static_cast<int>(error_log::Level::Warning) == CU_LOG_LEVEL_WARNING);

Result<void> logs_register_callback(CUlogsCallback callbackFunc, void *userData, CUlogsCallbackHandle *callback_out) {
  if (callbackFunc == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "callbackFunc is null");
  }
  void *handle = error_log::add_receiver(reinterpret_cast<error_log::Receiver>(callbackFunc), userData);
  if (callback_out != nullptr) {
    *callback_out = static_cast<CUlogsCallbackHandle>(handle);
  }
  return {};
}

Result<void> logs_unregister_callback(CUlogsCallbackHandle callback) {
  if (!error_log::remove_receiver(callback)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%p is no registered callback", static_cast<void *>(callback));
  }
  return {};
}

Result<void> logs_current(CUlogIterator *iterator_out, unsigned int flags) {
  HEL_TRY(check_out(iterator_out, "iterator_out"));
  HEL_TRY(check_flags(flags, 0));
  *iterator_out = error_log::end();
  return {};
}

Result<void> logs_dump_to_file(CUlogIterator *iterator, const char *pathToFile, unsigned int flags) {
  HEL_TRY(check_out(pathToFile, "pathToFile"));
  HEL_TRY(check_flags(flags, 0));
  std::string text;
  error_log::read(iterator, SIZE_MAX, &text);
  FILE *file = std::fopen(pathToFile, "w");
  if (file == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s cannot be written", pathToFile);
  }
  std::fputs(text.c_str(), file);
  if (std::fclose(file) != 0) {
    return HEL_FAIL(CUDA_ERROR_OPERATING_SYSTEM, "%s cannot be written", pathToFile);
  }
  return {};
}

Result<void> logs_dump_to_memory(CUlogIterator *iterator, char *buffer, size_t *size, unsigned int flags) {
  HEL_TRY(check_out(buffer, "buffer"));
  HEL_TRY(check_out(size, "size"));
  HEL_TRY(check_flags(flags, 0));
  std::string text;
  const size_t room = *size;
  if (room == 0 || !error_log::read(iterator, room - 1, &text)) {
    *size = 0;
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a buffer of %zu bytes has no room for a message", room);
  }
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  *size = text.size();
  return {};
}

}  // namespace hel::cpu
