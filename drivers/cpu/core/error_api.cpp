// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: names and texts of result codes.
#include "drivers/cpu/core/checks.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

struct ErrorText {
  const char *name;
  const char *text;
};

ErrorText error_text(CUresult code) {
  switch (code) {
#define HEL_ERROR_TEXT(code, text) \
  case code:                       \
    return {#code, text};
#include "drivers/cpu/core/error_texts.def"
#undef HEL_ERROR_TEXT
    default:
      return {nullptr, nullptr};
  }
}

}  // namespace

Result<void> get_error_name(CUresult error, const char **pStr) {
  HEL_TRY(check_out(pStr, "pStr"));
  *pStr = error_text(error).name;
  if (*pStr == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no error has the number %d", static_cast<int>(error));
  }
  return {};
}

Result<void> get_error_string(CUresult error, const char **pStr) {
  HEL_TRY(check_out(pStr, "pStr"));
  *pStr = error_text(error).text;
  if (*pStr == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no error has the number %d", static_cast<int>(error));
  }
  return {};
}

}  // namespace hel::cpu
