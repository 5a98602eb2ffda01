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
[[gnu::cold, gnu::format(printf, 1, 2)]] std::string format(const char *fmt, ...);

/// A class that is moved by copying its bits, and therefore passed and returned in registers.
#if defined(__clang__)
#define HEL_IN_REGISTERS [[clang::trivial_abi]]
#else
#define HEL_IN_REGISTERS
#endif

/// A Failure, or nothing: a std::unique_ptr that is returned in a register, and whose end is out of the way.
class HEL_IN_REGISTERS FailurePointer {
public:
  FailurePointer() = default;
  explicit FailurePointer(std::unique_ptr<Failure> failure) : failure_(failure.release()) {}
  FailurePointer(FailurePointer &&other) noexcept : failure_(std::exchange(other.failure_, nullptr)) {}
  FailurePointer &operator=(FailurePointer &&other) noexcept {
    std::swap(failure_, other.failure_);
    return *this;
  }
  ~FailurePointer() {
    if (failure_ != nullptr) [[unlikely]] {
      end(failure_);
    }
  }
  Failure *get() const { return failure_; }
  std::unique_ptr<Failure> take() { return std::unique_ptr<Failure>(std::exchange(failure_, nullptr)); }

private:
  [[gnu::cold]] static void end(Failure *failure);
  Failure *failure_ = nullptr;
};

template <typename T> class [[nodiscard]] HEL_IN_REGISTERS Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(std::unique_ptr<Failure> failure) : failure_(std::move(failure)) {}
  explicit operator bool() const { return failure_.get() == nullptr; }
  T &value() { return value_; }
  T take() { return std::move(value_); }
  Failure &failure() { return *failure_.get(); }
  std::unique_ptr<Failure> take_failure() { return failure_.take(); }

private:
  T value_{};
  FailurePointer failure_;
};

template <> class [[nodiscard]] HEL_IN_REGISTERS Result<void> {
public:
  Result() = default;
  Result(std::unique_ptr<Failure> failure) : failure_(std::move(failure)) {}
  explicit operator bool() const { return failure_.get() == nullptr; }
  void take() {}
  Failure &failure() { return *failure_.get(); }
  std::unique_ptr<Failure> take_failure() { return failure_.take(); }

private:
  FailurePointer failure_;
};

/// Makes a failure; use the HEL_FAIL macro, which adds the place.
[[gnu::cold]] std::unique_ptr<Failure> make_failure(int code, FailureKind kind, const char *file, int line,
                                                    std::string message);

/// Appends "; while <context>" to a failure's message.
[[gnu::cold]] std::unique_ptr<Failure> add_context(std::unique_ptr<Failure> failure, const std::string &context);

/// Prints an internal error with its place and aborts.
[[noreturn]] void internal_error(const char *file, int line, const std::string &message);

}  // namespace hel

/// `return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "size %zu is too large", n);`
#define HEL_FAIL(code, ...) HEL_FAIL_KIND(code, Misuse, __VA_ARGS__)
#define HEL_FAIL_KIND(code, kind, ...) \
  ::hel::make_failure(static_cast<int>(code), ::hel::FailureKind::kind, __FILE__, __LINE__, ::hel::format(__VA_ARGS__))

/// `T x = HEL_TRY(expr);` yields the value or returns the failure to the caller.
#define HEL_TRY(expr)                   \
  ({                                    \
    auto hel_result = (expr);           \
    if (!hel_result) [[unlikely]] {     \
      return hel_result.take_failure(); \
    }                                   \
    hel_result.take();                  \
  })

/// HEL_TRY that adds "while …" to the failure.
#define HEL_TRY_CONTEXT(expr, ...)                                                      \
  ({                                                                                    \
    auto hel_result = (expr);                                                           \
    if (!hel_result) [[unlikely]] {                                                     \
      return ::hel::add_context(hel_result.take_failure(), ::hel::format(__VA_ARGS__)); \
    }                                                                                   \
    hel_result.take();                                                                  \
  })

/// Checks one of our own invariants (never user input); active in all builds.
#define HEL_ENSURE(cond, ...)                                                                     \
  do {                                                                                            \
    if (!(cond)) [[unlikely]] {                                                                   \
      ::hel::internal_error(__FILE__, __LINE__, std::string(#cond) + ": " + ::hel::format(__VA_ARGS__)); \
    }                                                                                             \
  } while (0)
