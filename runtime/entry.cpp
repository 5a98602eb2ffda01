// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/entry.h"

#include "base/driver_result.h"
#include "base/error_log.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/thread_value.h"
#include "helicon/gen/error_names.h"
#include "loader/forked_child.h"
#include "loader/spelling.h"

#include <cstdio>
#include <cstring>
#include <set>

namespace hel::entry {
namespace {

HEL_THREAD_LOCAL constinit cudaError_t last_error = cudaSuccess;

/// The program's log gets what was wrong, and which call it made fail.
void log_failure(const char *name, const char *code, int number, const std::string &message) {
  if (loader::is_forked_child()) {
    return;  // a thread of the parent may have held the log's lock
  }
  const char *source = std::strncmp(name, "cuda", 4) == 0 ? "CUDART" : "CUDA";
  if (!message.empty()) {
    error_log::note(error_log::Level::Error, source, loader::spelt(message));
  }
  error_log::note(error_log::Level::Error, source,
                  loader::spelt(format("Returning %d (%s) from %s", number, code, name)));
  if (log_level(LogChannel::api) >= 1) {
    log_line(LogChannel::api, "call=%s failed=%s why=\"%s\"", loader::spelt(name).c_str(), loader::spelt(code).c_str(),
             loader::spelt(message).c_str());
  }
}

/// The name of a result of the entry point `name`.
std::string result_name(const char *name, int result) {
  bool runtime = std::strncmp(name, "cuda", 4) == 0;
  return loader::spelt(runtime ? error_name(static_cast<cudaError_t>(result))
                               : error_name(static_cast<CUresult>(result)));
}

/// Says once for each name that it is missing: a program that ignores the code must not fail in silence.
void report_missing(const char *name) {
  static Mutex *const mutex = new Mutex;
  static auto *const reported = new std::set<std::string>;
  Lock lock(*mutex);
  if (reported->insert(name).second) {
    std::fprintf(stderr, "helicon: %s is not implemented\n", loader::spelt(name).c_str());
  }
}

}  // namespace

cudaError_t fail_runtime(const char *name, Failure &failure) {
  auto code = static_cast<cudaError_t>(failure.code);
  if (code != cudaErrorNotReady) {
    last_error = code;
    log_failure(name, error_name(code), code, failure.message);
  }
  return code;
}

cudaError_t not_implemented_runtime(const char *name) {
  report_missing(name);
  last_error = cudaErrorNotSupported;
  return cudaErrorNotSupported;
}

CUresult finish_driver(const char *name, CUresult code) {
  if (code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_READY) [[unlikely]] {
    log_failure(name, error_name(code), code, last_driver_message());
  }
  return code;
}

CUresult not_implemented_driver(const char *name) {
  report_missing(name);
  set_last_driver_message(format("%s is not implemented", name));
  return CUDA_ERROR_NOT_SUPPORTED;
}

void trace(const char *name, const std::string &args, int result) {
  log_line(LogChannel::api, "%s(%s) = %d %s", loader::spelt(name).c_str(), loader::spelt(args).c_str(), result,
           result_name(name, result).c_str());
}

cudaError_t peek_last_error() { return last_error; }

cudaError_t take_last_error() {
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

}  // namespace hel::entry
