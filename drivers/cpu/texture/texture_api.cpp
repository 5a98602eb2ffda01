// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: texture and surface objects.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/texture/texture.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

/// The object of type T that a program's number means.
template <typename T> Result<Ref<T>> find_object(unsigned long long object) {
  void *handle = TextureStates::instance().owner_of(object);
  Object *found = HandleArena::instance().acquire(handle, T::kTag);
  if (found == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx is no %s (any more)", object, TagInfo<T::kTag>::kName);
  }
  return Ref<T>::adopt(static_cast<T *>(found));
}

/// Publishes an object with its state. Fails when too many exist.
template <typename T>
Result<unsigned long long> give_out(Context &context, T *made, const abi::TextureState &contents) {
  Ref<T> object = HEL_TRY(publish(made));
  object->state = TextureStates::instance().take(object->raw_handle());
  if (object->state == nullptr) {
    (void)retire<T>(object->handle());
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "too many texture and surface objects exist");
  }
  *object->state = contents;
  context.add_child(*object, T::kTag);
  return reinterpret_cast<unsigned long long>(object->state);
}

template <typename T> Result<void> destroy(unsigned long long object) {
  HEL_TRY(current_context());
  if (object == 0) {
    return {};
  }
  Ref<T> found = HEL_TRY(find_object<T>(object));
  found->context().remove_child(*found);
  HEL_TRY(retire<T>(found->handle()));
  found->owner_gone();
  return {};
}

}  // namespace

Result<void> tex_object_create(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
                               const CUDA_TEXTURE_DESC *pTexDesc, const CUDA_RESOURCE_VIEW_DESC *pResViewDesc) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pTexObject, "pTexObject"));
  HEL_TRY(check_out(pResDesc, "pResDesc"));
  HEL_TRY(check_out(pTexDesc, "pTexDesc"));
  TexelSource source = HEL_TRY(texel_source(*context, *pResDesc, pResViewDesc));
  const abi::TextureState state = HEL_TRY(texture_state(source, *pTexDesc));
  std::optional<CUDA_RESOURCE_VIEW_DESC> view;
  if (pResViewDesc != nullptr) {
    view = *pResViewDesc;
  }
  *pTexObject =
      HEL_TRY(give_out(*context, new Texture(*context, *pResDesc, *pTexDesc, view, std::move(source.owner)), state));
  return {};
}

Result<void> tex_object_destroy(CUtexObject texObject) { return destroy<Texture>(texObject); }

Result<void> tex_object_get_resource_desc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pResDesc, "pResDesc"));
  *pResDesc = HEL_TRY(find_object<Texture>(texObject))->resource();
  return {};
}

Result<void> tex_object_get_texture_desc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pTexDesc, "pTexDesc"));
  *pTexDesc = HEL_TRY(find_object<Texture>(texObject))->sampler();
  return {};
}

Result<void> tex_object_get_resource_view_desc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc, CUtexObject texObject) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pResViewDesc, "pResViewDesc"));
  Ref<Texture> texture = HEL_TRY(find_object<Texture>(texObject));
  if (!texture->view()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the texture object was made without a view");
  }
  *pResViewDesc = *texture->view();
  return {};
}

Result<void> surf_object_create(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pSurfObject, "pSurfObject"));
  HEL_TRY(check_out(pResDesc, "pResDesc"));
  TexelSource source = HEL_TRY(surface_source(*context, *pResDesc));
  *pSurfObject =
      HEL_TRY(give_out(*context, new Surface(*context, *pResDesc, std::move(source.owner)), source.state));
  return {};
}

Result<void> surf_object_destroy(CUsurfObject surfObject) { return destroy<Surface>(surfObject); }

Result<void> surf_object_get_resource_desc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pResDesc, "pResDesc"));
  *pResDesc = HEL_TRY(find_object<Surface>(surfObject))->resource();
  return {};
}

}  // namespace hel::cpu
