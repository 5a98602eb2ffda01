// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of failed calls; the driver's.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"

namespace hel::rt {

static_assert(static_cast<int>(cudaLogLevelError) == static_cast<int>(CU_LOG_LEVEL_ERROR));

Result<void> logs_register_callback(cudaLogsCallback_t callbackFunc, void *userData,
                                    cudaLogsCallbackHandle *callback_out) {
  auto callback = reinterpret_cast<CUlogsCallback>(reinterpret_cast<void *>(callbackFunc));
  return check(HEL_TRY(driver())->LogsRegisterCallback(callback, userData, callback_out));
}

Result<void> logs_unregister_callback(cudaLogsCallbackHandle callback) {
  return check(HEL_TRY(driver())->LogsUnregisterCallback(callback));
}

Result<void> logs_current(cudaLogIterator *iterator_out, unsigned int flags) {
  return check(HEL_TRY(driver())->LogsCurrent(iterator_out, flags));
}

Result<void> logs_dump_to_file(cudaLogIterator *iterator, const char *pathToFile, unsigned int flags) {
  return check(HEL_TRY(driver())->LogsDumpToFile(iterator, pathToFile, flags));
}

Result<void> logs_dump_to_memory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned int flags) {
  return check(HEL_TRY(driver())->LogsDumpToMemory(iterator, buffer, size, flags));
}

}  // namespace hel::rt
