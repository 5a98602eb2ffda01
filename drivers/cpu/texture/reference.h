// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references of the driver API: settings that change one by one. A module's variable of that name holds
// the address of the reference's own TextureState, which is made anew whenever a setting changes.
#pragma once

#include "base/mutex.h"
#include "drivers/cpu/texture/texture.h"

namespace hel::cpu {

class TextureReference : public HandleObject<TextureReference, Tag::TextureReference> {
public:
  explicit TextureReference(Context &context) : context_(context) {}
  ~TextureReference() override;

  Context &context() const { return context_; }

  struct Settings {
    CUDA_RESOURCE_DESC resource{};
    CUDA_TEXTURE_DESC sampler{};
    CUarray_format format = CU_AD_FORMAT_FLOAT;
    int channels = 1;
    bool bound = false;
  };
  Settings settings();
  /// Checks and takes over new settings; unfinished kernels see the old ones to their end.
  Result<void> change(const Settings &settings);
  /// The variable at this address is this reference from now on.
  Result<void> stand_for(CUdeviceptr variable);
  void owner_gone() override;

private:
  Result<void> apply() HEL_REQUIRES(mutex_);

  Context &context_;
  Mutex mutex_;
  Settings settings_ HEL_GUARDED_BY(mutex_);
  Ref<Object> owner_ HEL_GUARDED_BY(mutex_);
  abi::TextureState *state_ HEL_GUARDED_BY(mutex_) = nullptr;
  CUdeviceptr variable_ HEL_GUARDED_BY(mutex_) = 0;
};

}  // namespace hel::cpu
