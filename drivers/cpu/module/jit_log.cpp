// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/module/jit_log.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hel::cpu {

Result<JitLog> JitLog::read(unsigned count, CUjit_option *options, void **values) {
  JitLog log;
  if (count != 0 && (options == nullptr || values == nullptr)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%u options are announced, but a list is null", count);
  }
  for (unsigned i = 0; i < count; i++) {
    if (options[i] < CU_JIT_MAX_REGISTERS || options[i] >= CU_JIT_NUM_OPTIONS) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no compiler option has the number %d", static_cast<int>(options[i]));
    }
    switch (options[i]) {
      case CU_JIT_ERROR_LOG_BUFFER:
        log.buffer_ = static_cast<char *>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        log.bytes_ = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
        log.filled_ = &values[i];
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        log.info_filled_ = &values[i];
        break;
      default:
        break;
    }
  }
  return log;
}

void JitLog::write(const char *text) const {
  size_t length = 0;
  if (buffer_ != nullptr && bytes_ != 0) {
    length = std::min(std::strlen(text), bytes_ - 1);
    std::memcpy(buffer_, text, length);
    buffer_[length] = '\0';
  }
  if (filled_ != nullptr) {
    *filled_ = reinterpret_cast<void *>(length);
  }
  if (info_filled_ != nullptr) {
    *info_filled_ = nullptr;
  }
}

Result<void> JitLog::close(Result<void> result) {
  write(result ? "" : result.failure().message.c_str());
  return result;
}

}  // namespace hel::cpu
