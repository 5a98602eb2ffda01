// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface objects: what was asked for, and the state that device code reads.
//
//   CUtexObject = address of a TextureState (abi/texture.h) ─► its owner here ─► the array, kept while it is in use
#pragma once

#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/memory/texel_format.h"
#include "drivers/cpu/texture/state_pool.h"

#include <cuda.h>

#include <optional>

namespace hel::cpu {

/// Where the texels are, as a TextureState says it, and who keeps them there.
struct TexelSource {
  abi::TextureState state{};
  TexelFormat format{};
  CUDA_ARRAY3D_DESCRIPTOR whole{};  ///< the array, or the first level of a mipmapped one
  Ref<Object> owner;  ///< an array; null for memory
  bool mipmapped = false;
  bool linear_memory = false;
};

/// Checks a resource and an optional view of it.
Result<TexelSource> texel_source(const Context &context, const CUDA_RESOURCE_DESC &resource,
                                 const CUDA_RESOURCE_VIEW_DESC *view);

/// Checks how a texture samples and completes its state.
Result<abi::TextureState> texture_state(const TexelSource &source, const CUDA_TEXTURE_DESC &sampler);

class Texture : public HandleObject<Texture, Tag::Texture> {
public:
  Texture(Context &context, const CUDA_RESOURCE_DESC &resource, const CUDA_TEXTURE_DESC &sampler,
          std::optional<CUDA_RESOURCE_VIEW_DESC> view, Ref<Object> owner)
      : context_(context), resource_(resource), sampler_(sampler), view_(view), owner_(std::move(owner)) {}

  Context &context() const { return context_; }
  const CUDA_RESOURCE_DESC &resource() const { return resource_; }
  const CUDA_TEXTURE_DESC &sampler() const { return sampler_; }
  const std::optional<CUDA_RESOURCE_VIEW_DESC> &view() const { return view_; }
  void owner_gone() override;
  abi::TextureState *state = nullptr;  ///< set once, before the object is known to anybody

private:
  Context &context_;
  const CUDA_RESOURCE_DESC resource_;
  const CUDA_TEXTURE_DESC sampler_;
  const std::optional<CUDA_RESOURCE_VIEW_DESC> view_;
  const Ref<Object> owner_;
};

class Surface : public HandleObject<Surface, Tag::Surface> {
public:
  Surface(Context &context, const CUDA_RESOURCE_DESC &resource, Ref<Object> owner)
      : context_(context), resource_(resource), owner_(std::move(owner)) {}

  Context &context() const { return context_; }
  const CUDA_RESOURCE_DESC &resource() const { return resource_; }
  void owner_gone() override;
  abi::TextureState *state = nullptr;  ///< set once, before the object is known to anybody

private:
  Context &context_;
  const CUDA_RESOURCE_DESC resource_;
  const Ref<Object> owner_;
};

/// What a surface may be made of: an array whose flags allow stores.
Result<TexelSource> surface_source(const Context &context, const CUDA_RESOURCE_DESC &resource);

}  // namespace hel::cpu
