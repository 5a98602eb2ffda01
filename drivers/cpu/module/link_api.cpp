// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: device linking. Containers with SIMT bitcode are collected and linked by libhelicon-jit into one image.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/module/file.h"
#include "drivers/cpu/module/image.h"
#include "drivers/cpu/module/jit_log.h"
#include "helicon/gen/cpu_impl.h"

#include <cstdlib>
#include <cstring>
#include <deque>

namespace hel::cpu {
namespace {

/// Containers are aligned as the compiler aligns them.
struct FreeDeleter {
  void operator()(void *memory) const { std::free(memory); }
};

struct Input {
  std::unique_ptr<void, FreeDeleter> copy;
  size_t bytes;
};

class LinkState : public HandleObject<LinkState, Tag::LinkState> {
public:
  Mutex mutex;
  std::deque<Input> inputs HEL_GUARDED_BY(mutex);
  std::vector<uint8_t> image HEL_GUARDED_BY(mutex);
  JitLog log;  ///< fixed after creation

  Result<void> add(const void *data, size_t bytes) {
    ImageSource source = HEL_TRY(open_image(data, bytes));
    if (source.elf) {
      return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "finished code cannot be linked; containers with bitcode can");
    }
    void *copy = std::aligned_alloc(64, (source.bytes + 63) / 64 * 64);
    std::memcpy(copy, source.data, source.bytes);
    Lock lock(mutex);
    inputs.push_back({std::unique_ptr<void, FreeDeleter>(copy), source.bytes});
    return {};
  }
};

Result<void> check_type(CUjitInputType type) {
  if (type == CU_JIT_INPUT_PTX) {
    return HEL_FAIL_KIND(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, Unsupported, "PTX text cannot be linked by this version");
  }
  if (type != CU_JIT_INPUT_CUBIN && type != CU_JIT_INPUT_FATBINARY && type != CU_JIT_INPUT_OBJECT &&
      type != CU_JIT_INPUT_LIBRARY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no input type has the number %d", static_cast<int>(type));
  }
  return {};
}

Result<std::vector<uint8_t>> link_inputs(LinkState &state) HEL_REQUIRES(state.mutex) {
  std::vector<const void *> containers;
  for (const Input &input : state.inputs) {
    containers.push_back(input.copy.get());
  }
  if (containers.empty()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "there is nothing to link");
  }
  return jit_link(containers, "");
}

}  // namespace

Result<void> link_create(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(stateOut, "stateOut"));
  JitLog log = HEL_TRY(JitLog::read(numOptions, options, optionValues));
  Ref<LinkState> state = HEL_TRY(publish(new LinkState));
  state->log = log;
  *stateOut = state->handle();
  return {};
}

Result<void> link_add_data(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                           unsigned int numOptions, CUjit_option *options, void **optionValues) {
  HEL_TRY(check_initialized());
  Ref<LinkState> link = HEL_TRY(find<LinkState>(state));
  HEL_TRY(check_type(type));
  HEL_TRY(check_out(data, "data"));
  return link->log.close(link->add(data, size));
}

Result<void> link_add_file(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                           CUjit_option *options, void **optionValues) {
  HEL_TRY(check_initialized());
  Ref<LinkState> link = HEL_TRY(find<LinkState>(state));
  HEL_TRY(check_type(type));
  HEL_TRY(check_out(path, "path"));
  std::vector<uint8_t> bytes = HEL_TRY(read_file(path));
  return link->log.close(link->add(bytes.data(), bytes.size()));
}

Result<void> link_complete(CUlinkState state, void **cubinOut, size_t *sizeOut) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(cubinOut, "cubinOut"));
  Ref<LinkState> link = HEL_TRY(find<LinkState>(state));
  Lock lock(link->mutex);
  Result<std::vector<uint8_t>> image = link_inputs(*link);
  if (!image) {
    return link->log.close(image.take_failure());
  }
  HEL_TRY(link->log.close({}));
  link->image = image.take();
  *cubinOut = link->image.data();
  if (sizeOut != nullptr) {
    *sizeOut = link->image.size();
  }
  return {};
}

Result<void> link_destroy(CUlinkState state) {
  HEL_TRY(check_initialized());
  HEL_TRY(retire<LinkState>(state));
  return {};
}

}  // namespace hel::cpu
