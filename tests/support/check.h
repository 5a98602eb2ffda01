// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks for test programs (.cu, .mu, .cpp). A failed check prints its place and what it saw, and the test goes on;
// `return check_report();` at the end of main makes the exit status.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>

namespace check {

inline int &failures() {
  static int count = 0;
  return count;
}

inline void fail(const char *file, int line, const char *what) {
  failures() += 1;
  fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what);
}

// Names of result codes. The calls are found by argument-dependent look-up, so that this header needs none of the
// API headers and works with either spelling.
template <typename E> auto api_name(E e, int, int) -> decltype(cudaGetErrorName(e)) { return cudaGetErrorName(e); }
template <typename E> auto api_name(E e, int, long) -> decltype(musaGetErrorName(e)) { return musaGetErrorName(e); }
template <typename E> auto api_name(E e, long, int) -> decltype(cuGetErrorName(e, nullptr), (const char *)nullptr) {
  const char *name = nullptr;
  return cuGetErrorName(e, &name), name;
}
template <typename E> auto api_name(E e, long, long) -> decltype(muGetErrorName(e, nullptr), (const char *)nullptr) {
  const char *name = nullptr;
  return muGetErrorName(e, &name), name;
}
template <typename E> const char *api_name(E, ...) { return "?"; }

struct Signed {};
struct Unsigned {};
struct Floating {};
struct Pointer {};
struct Other {};
template <typename T>
using KindOf = typename std::conditional<
    std::is_floating_point<T>::value, Floating,
    typename std::conditional<
        std::is_enum<T>::value || std::is_signed<T>::value, Signed,
        typename std::conditional<
            std::is_unsigned<T>::value, Unsigned,
            typename std::conditional<std::is_pointer<T>::value, Pointer, Other>::type>::type>::type>::type;

template <typename T> void print(const T &value, Signed) { fprintf(stderr, "%lld", (long long)value); }
template <typename T> void print(const T &value, Unsigned) { fprintf(stderr, "%llu", (unsigned long long)value); }
template <typename T> void print(const T &value, Floating) { fprintf(stderr, "%.17g", (double)value); }
template <typename T> void print(const T &value, Pointer) { fprintf(stderr, "%p", (const void *)value); }
template <typename T> void print(const T &, Other) { fprintf(stderr, "(%zu bytes)", sizeof(T)); }
template <typename T> void print(const T &value) { print(value, KindOf<T>()); }

// At most this many failures of one program are printed in full.
enum { kMaxPrinted = 20 };

template <typename A, typename B>
void equal(const A &a, const B &b, const char *a_text, const char *b_text, const char *file, int line) {
  if (a == b) {
    return;
  }
  if (++failures() > kMaxPrinted) {
    return;
  }
  fprintf(stderr, "%s:%d: check failed: %s is ", file, line, a_text);
  print(a);
  fprintf(stderr, ", not %s = ", b_text);
  print(b);
  fprintf(stderr, "\n");
}

inline void near(double a, double b, double tolerance, const char *a_text, const char *file, int line) {
  if (fabs(a - b) <= tolerance || (a != a && b != b) || a == b) {
    return;
  }
  if (++failures() <= kMaxPrinted) {
    fprintf(stderr, "%s:%d: check failed: %s is %.17g, not within %g of %.17g\n", file, line, a_text, a, tolerance, b);
  }
}

template <typename E>
void result(E got, E expected, const char *call, const char *file, int line) {
  if (got == expected) {
    return;
  }
  failures() += 1;
  fprintf(stderr, "%s:%d: check failed: %s returned %s (%d), not %s (%d)\n", file, line, call, api_name(got, 0, 0),
          (int)got, api_name(expected, 0, 0), (int)expected);
}

inline int report() {
  if (failures() != 0) {
    fprintf(stderr, "%d checks failed\n", failures());
    return 1;
  }
  printf("passed\n");
  return 0;
}

/// False where programs run on a vendor's driver alone (tools/dev/device_run.py, tools/dev/oracle.py).
inline bool is_own_driver() {
  const char *drivers = getenv("HELICON_DRIVERS");
  return drivers == nullptr || strcmp(drivers, "nvidia") != 0;
}

}  // namespace check

#define CHECK(cond) ((cond) ? (void)0 : ::check::fail(__FILE__, __LINE__, #cond))
#define CHECK_EQ(a, b) ::check::equal((a), (b), #a, #b, __FILE__, __LINE__)
/// |a - b| <= tolerance
#define CHECK_NEAR(a, b, tolerance) ::check::near((a), (b), (tolerance), #a, __FILE__, __LINE__)
#define CHECK_ERROR(call, expected) ::check::result((call), (expected), #call, __FILE__, __LINE__)
/// For calls that only our drivers look at: another vendor's answers them in its own way, or does not survive them.
#define CHECK_OWN_ERROR(call, expected) (::check::is_own_driver() ? CHECK_ERROR(call, expected) : (void)0)
#define CHECK_CUDA(call) CHECK_ERROR(call, cudaSuccess)
#define CHECK_MUSA(call) CHECK_ERROR(call, musaSuccess)
#define CHECK_CU(call) CHECK_ERROR(call, CUDA_SUCCESS)
#define CHECK_MU(call) CHECK_ERROR(call, MUSA_SUCCESS)
/// Ends the program at once when the call fails: for what everything after it needs.
#define REQUIRE_CUDA(call)              \
  do {                                  \
    int before = ::check::failures();   \
    CHECK_CUDA(call);                   \
    if (::check::failures() != before)  \
      return ::check::report();         \
  } while (0)

inline int check_report() { return check::report(); }
