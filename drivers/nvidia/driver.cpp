// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/nvidia/driver.h"

#include "base/default_stream.h"
#include "base/driver_result.h"
#include "base/log.h"
#include "drivers/nvidia/library.h"
#include "drivers/nvidia/modules.h"

#include <cstdlib>

namespace hel::nvidia {
namespace {

// Constant after open().
DriverTable legacy;      ///< the library's functions
DriverTable per_thread;  ///< the same, but the twins for the default stream per thread
DriverTable table;

/// Stands for a function that the library does not have.
template <auto Member, const char *Name> struct Missing;
template <typename R, typename... A, R (*DriverTable::*Member)(A...), const char *Name> struct Missing<Member, Name> {
  static R call(A...) {
    set_last_driver_message(std::string("the installed NVIDIA driver has no ") + Name);
    if constexpr (std::is_same_v<R, CUresult>) {
      return CUDA_ERROR_NOT_SUPPORTED;
    } else {
      return R();
    }
  }
};

/// A function that the default stream matters to: the entry point that called says which one is meant.
template <auto Member> struct OfStream;
template <typename R, typename... A, R (*DriverTable::*Member)(A...)> struct OfStream<Member> {
  static R call(A... arguments) {
    const DriverTable &chosen = null_stream_is_per_thread() ? per_thread : legacy;
    return (chosen.*Member)(arguments...);
  }
};

int fill(const DriverLibrary &library) {
  int missing = 0;
#define HEL_DRIVER_SYMBOL(member, symbol, name, since, twin_since)                              \
  {                                                                                             \
    static constexpr char kName[] = symbol;                                                     \
    using Type = decltype(legacy.member);                                                       \
    legacy.member = reinterpret_cast<Type>(library.find(name, since, false));                   \
    if (legacy.member == nullptr) {                                                             \
      legacy.member = Missing<&DriverTable::member, kName>::call;                               \
      missing++;                                                                                \
    }                                                                                           \
    table.member = per_thread.member = legacy.member;                                           \
    if (twin_since != 0) {                                                                      \
      if (void *twin = library.find(name, twin_since, true)) {                                  \
        per_thread.member = reinterpret_cast<Type>(twin);                                       \
      }                                                                                         \
      table.member = OfStream<&DriverTable::member>::call;                                      \
    }                                                                                           \
  }
#include "helicon/gen/driver_symbols.def"
#undef HEL_DRIVER_SYMBOL
  return missing;
}

/// MUSA_VISIBLE_DEVICES means what CUDA_VISIBLE_DEVICES does, which is the one that the library reads.
void pass_visible_devices() {
  const char *list = std::getenv("MUSA_VISIBLE_DEVICES");
  if (list != nullptr) {
    setenv("CUDA_VISIBLE_DEVICES", list, /*overwrite=*/0);
  }
}

}  // namespace

Result<void> open() {
  pass_visible_devices();
  DriverLibrary library = HEL_TRY(DriverLibrary::open());
  int missing = fill(library);
  int version = 0;
  int devices = 0;
  CUresult code = legacy.DriverGetVersion(&version);
  code = code == CUDA_SUCCESS ? legacy.Init(0) : code;
  code = code == CUDA_SUCCESS ? legacy.DeviceGetCount(&devices) : code;
  HEL_LOG(loader, 1, "driver=nvidia library=%s version=%d missing=%d devices=%d init=%d", library.path().c_str(), version, missing,
          devices, static_cast<int>(code));
  if (code != CUDA_SUCCESS) {
    return HEL_FAIL(code, "%s does not start (error %d)", library.path().c_str(), static_cast<int>(code));
  }
  if (devices == 0) {
    return HEL_FAIL(CUDA_ERROR_NO_DEVICE, "%s shows no device", library.path().c_str());
  }
  put_module_functions(table);
  return {};
}

const DriverTable &driver_table() { return table; }
const DriverTable &vendor_table() { return legacy; }

}  // namespace hel::nvidia
