// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every CUDA or MUSA translation unit starts with, before the first header. It may use no header and must be valid from
// C++11 on. The marker types are put into closures by hooks.cpp.
#pragma once

namespace hel::cc {

inline constexpr char kPrologue[] = R"(
namespace __hl_detail {
template <typename T> struct __bare { using type = T; };
template <typename T> struct __bare<const T> { using type = T; };
template <typename T> struct __bare<volatile T> { using type = T; };
template <typename T> struct __bare<const volatile T> { using type = T; };
template <typename T> constexpr bool __is_device_lambda(typename T::__hl_device_lambda *) { return true; }
template <typename T> constexpr bool __is_device_lambda(...) { return false; }
template <typename T> constexpr bool __is_host_device_lambda(typename T::__hl_host_device_lambda *) { return true; }
template <typename T> constexpr bool __is_host_device_lambda(...) { return false; }
template <typename T> constexpr bool __is_lambda_with_result(typename T::__hl_device_lambda_with_result *) { return true; }
template <typename T> constexpr bool __is_lambda_with_result(...) { return false; }
}
#define __nv_is_extended_device_lambda_closure_type(...) \
  (::__hl_detail::__is_device_lambda<typename ::__hl_detail::__bare<__VA_ARGS__>::type>(nullptr))
#define __nv_is_extended_host_device_lambda_closure_type(...) \
  (::__hl_detail::__is_host_device_lambda<typename ::__hl_detail::__bare<__VA_ARGS__>::type>(nullptr))
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) \
  (::__hl_detail::__is_lambda_with_result<typename ::__hl_detail::__bare<__VA_ARGS__>::type>(nullptr))
)";

}  // namespace hel::cc
