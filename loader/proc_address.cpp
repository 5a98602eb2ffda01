// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/proc_address.h"

#include "base/driver_result.h"
#include "loader/entry_points.h"

namespace hel::loader {
namespace {

constexpr cuuint64_t kFlags = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

CUresult fail(CUresult code, std::string message) {
  set_last_driver_message(std::move(message));
  return code;
}

}  // namespace

CUresult get_proc_address(const char *symbol, void **pfn, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status) {
  if (symbol == nullptr || pfn == nullptr || (flags & ~kFlags) != 0 || flags == kFlags) {
    return fail(CUDA_ERROR_INVALID_VALUE, "an argument is null or the flags are not defined");
  }
  bool known = false;
  const entry::EntryPoint *found = entry::find_driver_entry_point(symbol, version, &known);
  *pfn = nullptr;
  if (found == nullptr) {
    if (status != nullptr) {
      *status = known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return fail(CUDA_ERROR_NOT_FOUND, format("%s does not exist in version %d of the interface", symbol, version));
  }
  bool per_thread = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM && found->per_thread != nullptr;
  *pfn = per_thread ? found->per_thread : found->address;
  if (status != nullptr) {
    *status = CU_GET_PROC_ADDRESS_SUCCESS;
  }
  return CUDA_SUCCESS;
}

CUresult get_proc_address_v1(const char *symbol, void **pfn, int version, cuuint64_t flags) {
  return get_proc_address(symbol, pfn, version, flags, nullptr);
}

}  // namespace hel::loader
