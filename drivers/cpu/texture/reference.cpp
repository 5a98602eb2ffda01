// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/texture/reference.h"

#include <cstring>

namespace hel::cpu {

TextureReference::~TextureReference() { owner_gone(); }

void TextureReference::owner_gone() {
  Lock lock(mutex_);
  if (state_ != nullptr) {
    TextureStates::instance().give_back(state_);
    state_ = nullptr;
  }
  owner_ = nullptr;
}

TextureReference::Settings TextureReference::settings() {
  Lock lock(mutex_);
  return settings_;
}

Result<void> TextureReference::change(const Settings &settings) {
  if (settings.bound) {
    HEL_TRY(texel_source(context_, settings.resource, nullptr));
  }
  context_.synchronize();
  Lock lock(mutex_);
  settings_ = settings;
  return apply();
}

Result<void> TextureReference::stand_for(CUdeviceptr variable) {
  Lock lock(mutex_);
  variable_ = variable;
  return apply();
}

Result<void> TextureReference::apply() {
  if (variable_ == 0) {
    return {};
  }
  if (state_ != nullptr) {
    TextureStates::instance().give_back(state_);
    state_ = nullptr;
  }
  // Settings come one by one: until they fit together the variable is null, and a kernel that fetches from it faults.
  if (settings_.bound) {
    TexelSource source = HEL_TRY(texel_source(context_, settings_.resource, nullptr));
    if (Result<abi::TextureState> made = texture_state(source, settings_.sampler)) {
      state_ = TextureStates::instance().take(raw_handle());
      if (state_ == nullptr) {
        return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "too many texture and surface objects exist");
      }
      *state_ = made.value();
      owner_ = std::move(source.owner);
    }
  }
  std::memcpy(reinterpret_cast<void *>(variable_), &state_, sizeof state_);
  return {};
}

}  // namespace hel::cpu
