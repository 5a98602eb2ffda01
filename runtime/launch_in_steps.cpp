// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as versions before 7 had them, in three steps: the shape, each argument by its offset, the kernel.
#include "base/thread_value.h"
#include "helicon/gen/runtime_impl.h"

#include <cstring>
#include <map>
#include <vector>

namespace hel::rt {
namespace {

constexpr size_t kMostBytes = 32764;  // of all arguments

struct Call {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  std::map<size_t, std::vector<unsigned char>> arguments;  ///< by offset
};

/// What the thread has begun; the last one goes on.
std::vector<Call> &begun() {
  struct Steps;
  return thread_value<std::vector<Call>, Steps>();
}

Result<Call *> last_begun() {
  if (begun().empty()) {
    return HEL_FAIL(cudaErrorMissingConfiguration, "cudaConfigureCall was not called");
  }
  return &begun().back();
}

}  // namespace

Result<void> configure_call_v1(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream) {
  begun().push_back({gridDim, blockDim, sharedMem, stream, {}});
  return {};
}

Result<void> setup_argument_v1(const void *arg, size_t size, size_t offset) {
  Call *call = HEL_TRY(last_begun());
  if (arg == nullptr || size == 0 || size > kMostBytes || offset > kMostBytes - size) {
    return HEL_FAIL(cudaErrorInvalidValue, "%zu bytes of an argument at offset %zu", size, offset);
  }
  const auto *bytes = static_cast<const unsigned char *>(arg);
  call->arguments[offset].assign(bytes, bytes + size);
  return {};
}

Result<void> launch_v1(const void *func) {
  Call call = std::move(*HEL_TRY(last_begun()));
  begun().pop_back();
  std::vector<void *> arguments;
  for (auto &[offset, bytes] : call.arguments) {
    arguments.push_back(bytes.data());
  }
  return launch_kernel(func, call.grid, call.block, arguments.data(), call.shared, call.stream);
}

}  // namespace hel::rt
