// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every CUDA or MUSA translation unit starts with, before the first header. It may use no header and must be valid
// in every C++ standard. The marker types are put into closures by hooks.cpp.
#pragma once

namespace hel::cc {

inline constexpr char kPrologue[] = R"(
namespace __hl_detail {
template <typename T> struct __bare { typedef T type; };
template <typename T> struct __bare<const T> { typedef T type; };
template <typename T> struct __bare<volatile T> { typedef T type; };
template <typename T> struct __bare<const volatile T> { typedef T type; };
template <typename T> struct __lambda_kind {
  template <typename U> static char (&__device(typename U::__hl_device_lambda *))[2];
  template <typename U> static char __device(...);
  template <typename U> static char (&__host_device(typename U::__hl_host_device_lambda *))[2];
  template <typename U> static char __host_device(...);
  template <typename U> static char (&__with_result(typename U::__hl_device_lambda_with_result *))[2];
  template <typename U> static char __with_result(...);
  static const bool device = sizeof(__device<T>(0)) == 2;
  static const bool host_device = sizeof(__host_device<T>(0)) == 2;
  static const bool with_result = sizeof(__with_result<T>(0)) == 2;
};
}
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define __hl_lambda_kind(...) ::__hl_detail::__lambda_kind<typename ::__hl_detail::__bare<__VA_ARGS__>::type>
#define __nv_is_extended_device_lambda_closure_type(...) (__hl_lambda_kind(__VA_ARGS__)::device)
#define __nv_is_extended_host_device_lambda_closure_type(...) (__hl_lambda_kind(__VA_ARGS__)::host_device)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) (__hl_lambda_kind(__VA_ARGS__)::with_result)
)";

}  // namespace hel::cc
