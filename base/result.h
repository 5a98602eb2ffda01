// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as values. `Result<T>` is a value or a Failure; success costs one null pointer.
//
// A Failure has a code (a CUresult below the driver table, a cudaError_t in runtime/: the two agree in
// value wherever both exist), a kind that fixes its effect, a message and the contexts added on its way up.
// Messages start lower case, carry the numbers, and end without a full stop.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace hel {

/// What a failure does to the caller; decided where it is made.
enum class FailureKind {
  Misuse,       ///< the call did nothing; the code says why
  OutOfMemory,  ///< nothing changed
  KernelFault,  ///< sticky on the context until it is reset
  Unsupported,  ///< names the feature that is missing
  Internal,     ///< our bug
};

struct Failure {
  int code;
  FailureKind kind;
  std::string message;  ///< innermost first, then "; while …" for each context
  const char *file;
  int line;
};

/// Formats like printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char *fmt, ...);

template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(std::unique_ptr<Failure> failure) : failure_(std::move(failure)) {}
  explicit operator bool() const { return failure_ == nullptr; }
  T &value() { return value_; }
  T take() { return std::move(value_); }
  Failure &failure() { return *failure_; }
  std::unique_ptr<Failure> take_failure() { return std::move(failure_); }

private:
  T value_{};
  std::unique_ptr<Failure> failure_;
};

template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(std::unique_ptr<Failure> failure) : failure_(std::move(failure)) {}
  explicit operator bool() const { return failure_ == nullptr; }
  void take() {}
  Failure &failure() { return *failure_; }
  std::unique_ptr<Failure> take_failure() { return std::move(failure_); }

private:
  std::unique_ptr<Failure> failure_;
};

/// Makes a failure; use the HEL_FAIL macro, which adds the place.
std::unique_ptr<Failure> make_failure(int code, FailureKind kind, const char *file, int line, std::string message);

/// Appends "; while <context>" to a failure's message.
std::unique_ptr<Failure> add_context(std::unique_ptr<Failure> failure, const std::string &context);

/// Prints an internal error with its place and aborts.
[[noreturn]] void internal_error(const char *file, int line, const std::string &message);

}  // namespace hel

/// `return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "size %zu is too large", n);`
#define HEL_FAIL(code, ...) HEL_FAIL_KIND(code, Misuse, __VA_ARGS__)
#define HEL_FAIL_KIND(code, kind, ...) \
  ::hel::make_failure(static_cast<int>(code), ::hel::FailureKind::kind, __FILE__, __LINE__, ::hel::format(__VA_ARGS__))

/// `T x = HEL_TRY(expr);` yields the value or returns the failure to the caller.
#define HEL_TRY(expr)                            \
  ({                                             \
    auto hel_result = (expr);                    \
    if (!hel_result) {                           \
      return hel_result.take_failure();          \
    }                                            \
    hel_result.take();                           \
  })

/// HEL_TRY that adds "while …" to the failure.
#define HEL_TRY_CONTEXT(expr, ...)                                                  \
  ({                                                                                \
    auto hel_result = (expr);                                                       \
    if (!hel_result) {                                                              \
      return ::hel::add_context(hel_result.take_failure(), ::hel::format(__VA_ARGS__)); \
    }                                                                               \
    hel_result.take();                                                              \
  })

/// Checks one of our own invariants (never user input); active in all builds.
#define HEL_ENSURE(cond, ...)                                                                     \
  do {                                                                                            \
    if (!(cond)) [[unlikely]] {                                                                   \
      ::hel::internal_error(__FILE__, __LINE__, std::string(#cond) + ": " + ::hel::format(__VA_ARGS__)); \
    }                                                                                             \
  } while (0)
