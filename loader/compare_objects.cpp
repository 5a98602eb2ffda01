// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures and surfaces in compare mode. A program sees the CPU's number of an object, which is an address and nothing
// else; where the GPU runs, its own number stands in the place of each. An array that an object is made of has a twin
// on the CPU, which gets its texels before a launch.
#include "loader/compare_state.h"

#include "base/result.h"

#include <algorithm>
#include <cstring>

namespace hel::loader::comparing {
namespace {

struct Array {
  unsigned number;  ///< in order of first use
  CUarray on_gpu, on_cpu;
  CUDA_ARRAY3D_DESCRIPTOR descriptor;
};

struct Objects {
  Mutex mutex;
  std::map<unsigned long long, unsigned long long> numbers HEL_GUARDED_BY(mutex);  ///< the CPU's, the GPU's
  std::map<CUarray, Array> arrays HEL_GUARDED_BY(mutex);                           ///< by the GPU's
  std::map<CUmipmappedArray, CUmipmappedArray> mipmaps HEL_GUARDED_BY(mutex);      ///< the GPU's, the CPU's
};

Objects &objects() {
  static Objects *const made = new Objects;  // never destroyed: used until the process ends
  return *made;
}

void stop(const std::string &why) {
  Lock lock(state().mutex);
  state().stopped = "not compared: " + why;
}

// --- twins of arrays

void add_twin(CUarray on_gpu, CUarray on_cpu) HEL_REQUIRES(objects().mutex) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  gpu().Array3DGetDescriptor(&descriptor, on_gpu);
  objects().arrays[on_gpu] = {static_cast<unsigned>(objects().arrays.size()), on_gpu, on_cpu, descriptor};
}

CUresult twin_of(CUarray on_gpu, CUarray *on_cpu) HEL_REQUIRES(objects().mutex) {
  if (auto known = objects().arrays.find(on_gpu); known != objects().arrays.end()) {
    *on_cpu = known->second.on_cpu;
    return CUDA_SUCCESS;
  }
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  CUresult code = gpu().Array3DGetDescriptor(&descriptor, on_gpu);
  code = code == CUDA_SUCCESS ? cpu().Array3DCreate(on_cpu, &descriptor) : code;
  if (code == CUDA_SUCCESS) {
    add_twin(on_gpu, *on_cpu);
  }
  return code;
}

CUresult twin_of(CUmipmappedArray on_gpu, CUmipmappedArray *on_cpu) HEL_REQUIRES(objects().mutex) {
  if (auto known = objects().mipmaps.find(on_gpu); known != objects().mipmaps.end()) {
    *on_cpu = known->second;
    return CUDA_SUCCESS;
  }
  CUarray level = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  CUresult code = gpu().MipmappedArrayGetLevel(&level, on_gpu, 0);
  code = code == CUDA_SUCCESS ? gpu().Array3DGetDescriptor(&descriptor, level) : code;
  unsigned levels = 1;
  while (code == CUDA_SUCCESS && gpu().MipmappedArrayGetLevel(&level, on_gpu, levels) == CUDA_SUCCESS) {
    levels++;
  }
  code = code == CUDA_SUCCESS ? cpu().MipmappedArrayCreate(on_cpu, &descriptor, levels) : code;
  for (unsigned i = 0; code == CUDA_SUCCESS && i < levels; i++) {
    CUarray own = nullptr;
    CUarray other = nullptr;
    code = gpu().MipmappedArrayGetLevel(&own, on_gpu, i);
    code = code == CUDA_SUCCESS ? cpu().MipmappedArrayGetLevel(&other, *on_cpu, i) : code;
    if (code == CUDA_SUCCESS) {
      add_twin(own, other);
    }
  }
  if (code == CUDA_SUCCESS) {
    objects().mipmaps[on_gpu] = *on_cpu;
  }
  return code;
}

/// A resource of the GPU as the CPU has it. Linear memory is memory of both.
CUresult on_cpu(CUDA_RESOURCE_DESC &resource) HEL_REQUIRES(objects().mutex) {
  if (resource.resType == CU_RESOURCE_TYPE_ARRAY) {
    return twin_of(resource.res.array.hArray, &resource.res.array.hArray);
  }
  return resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY
             ? twin_of(resource.res.mipmap.hMipmappedArray, &resource.res.mipmap.hMipmappedArray)
             : CUDA_SUCCESS;
}

/// An array, and host memory in which its texels stand without gaps.
CUDA_MEMCPY3D whole_copy(const Array &array, bool of_gpu, bool to_array, void *texels) {
  static constexpr size_t kBytes[] = {0, 1, 2, 4};
  const CUDA_ARRAY3D_DESCRIPTOR &d = array.descriptor;
  unsigned format = d.Format;
  size_t element = format == CU_AD_FORMAT_HALF ? 2 : format == CU_AD_FORMAT_FLOAT ? 4 : kBytes[format & 3];
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = d.Width * element * d.NumChannels;
  copy.Height = std::max<size_t>(d.Height, 1);
  copy.Depth = std::max<size_t>(d.Depth, 1);
  CUarray own = of_gpu ? array.on_gpu : array.on_cpu;
  copy.srcMemoryType = to_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
  copy.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  copy.srcHost = copy.dstHost = texels;
  copy.srcArray = copy.dstArray = own;
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes;
  copy.srcHeight = copy.dstHeight = copy.Height;
  return copy;
}

size_t bytes_of(const Array &array) {
  CUDA_MEMCPY3D copy = whole_copy(array, true, false, nullptr);
  return copy.WidthInBytes * copy.Height * copy.Depth;
}

CUresult array_destroy(CUarray array) {
  const Visit visit(state().cpu);
  Lock lock(objects().mutex);
  if (auto known = objects().arrays.find(array); known != objects().arrays.end()) {
    cpu().ArrayDestroy(known->second.on_cpu);
    objects().arrays.erase(known);
  }
  return gpu().ArrayDestroy(array);
}

CUresult mipmapped_array_destroy(CUmipmappedArray array) {
  const Visit visit(state().cpu);
  Lock lock(objects().mutex);
  if (auto known = objects().mipmaps.find(array); known != objects().mipmaps.end()) {
    CUarray level = nullptr;
    for (unsigned i = 0; gpu().MipmappedArrayGetLevel(&level, array, i) == CUDA_SUCCESS; i++) {
      objects().arrays.erase(level);
    }
    cpu().MipmappedArrayDestroy(known->second);
    objects().mipmaps.erase(known);
  }
  return gpu().MipmappedArrayDestroy(array);
}

// --- objects

/// Makes the object on both sides with `create(table, object, resource)`.
template <typename Create>
CUresult create_on_both(unsigned long long *object, const CUDA_RESOURCE_DESC *resource, Create create) {
  unsigned long long own = 0;
  CUresult code = create(gpu(), object != nullptr ? &own : nullptr, resource);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  hold_context(state().cpu);
  const Visit visit(state().cpu);
  Lock lock(objects().mutex);
  CUDA_RESOURCE_DESC there = *resource;
  unsigned long long number = 0;
  code = on_cpu(there);
  code = code == CUDA_SUCCESS ? create(cpu(), &number, &there) : code;
  if (code != CUDA_SUCCESS) {
    stop(format("the CPU cannot make a texture or surface of the program's (error %d)", static_cast<int>(code)));
    *object = own;  // the program goes on with the GPU alone
    return CUDA_SUCCESS;
  }
  objects().numbers[number] = own;
  *object = number;
  return CUDA_SUCCESS;
}

CUresult texture_create(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                        const CUDA_RESOURCE_VIEW_DESC *view) {
  return create_on_both(object, resource, [&](const DriverTable &cu, CUtexObject *made, const CUDA_RESOURCE_DESC *of) {
    return cu.TexObjectCreate(made, of, texture, view);
  });
}

CUresult surface_create(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  return create_on_both(object, resource, [](const DriverTable &cu, CUsurfObject *made, const CUDA_RESOURCE_DESC *of) {
    return cu.SurfObjectCreate(made, of);
  });
}

unsigned long long on_gpu(unsigned long long object) {
  Lock lock(objects().mutex);
  auto known = objects().numbers.find(object);
  return known == objects().numbers.end() ? object : known->second;
}

/// Ends the object on both sides with `destroy(table, number)`.
template <typename Destroy> CUresult destroy_on_both(unsigned long long object, Destroy destroy) {
  const unsigned long long own = on_gpu(object);
  if (own != object) {
    const Visit visit(state().cpu);
    destroy(cpu(), object);
    Lock lock(objects().mutex);
    objects().numbers.erase(object);
  }
  return destroy(gpu(), own);
}

CUresult texture_destroy(CUtexObject object) {
  return destroy_on_both(object, [](const DriverTable &cu, CUtexObject number) { return cu.TexObjectDestroy(number); });
}
CUresult surface_destroy(CUsurfObject object) {
  return destroy_on_both(object,
                         [](const DriverTable &cu, CUsurfObject number) { return cu.SurfObjectDestroy(number); });
}

CUresult texture_resource(CUDA_RESOURCE_DESC *resource, CUtexObject object) {
  return gpu().TexObjectGetResourceDesc(resource, on_gpu(object));
}
CUresult texture_settings(CUDA_TEXTURE_DESC *texture, CUtexObject object) {
  return gpu().TexObjectGetTextureDesc(texture, on_gpu(object));
}
CUresult texture_view(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object) {
  return gpu().TexObjectGetResourceViewDesc(view, on_gpu(object));
}
CUresult surface_resource(CUDA_RESOURCE_DESC *resource, CUsurfObject object) {
  return gpu().SurfObjectGetResourceDesc(resource, on_gpu(object));
}

}  // namespace

bool has_objects() {
  Lock lock(objects().mutex);
  return !objects().numbers.empty();
}

Contents read_arrays(bool of_gpu) {
  const Visit visit(of_gpu ? state().gpu : state().cpu);
  Lock lock(objects().mutex);
  Contents contents;
  for (const auto &[handle, array] : objects().arrays) {
    std::vector<char> texels(bytes_of(array));
    CUDA_MEMCPY3D copy = whole_copy(array, of_gpu, false, texels.data());
    (of_gpu ? gpu() : cpu()).Memcpy3D(&copy);
    contents.push_back(std::move(texels));
  }
  return contents;
}

void give_arrays_to_cpu(const Contents &contents) {
  const Visit visit(state().cpu);
  Lock lock(objects().mutex);
  size_t at = 0;
  for (const auto &[handle, array] : objects().arrays) {
    CUDA_MEMCPY3D copy = whole_copy(array, false, true, const_cast<char *>(contents[at++].data()));
    cpu().Memcpy3D(&copy);
  }
}

bool report_arrays(const std::string &kernel, unsigned launch, const Contents &on_gpu, const Contents &on_cpu) {
  Lock lock(objects().mutex);
  size_t at = 0;
  for (const auto &[handle, array] : objects().arrays) {
    const CUDA_MEMCPY3D whole = whole_copy(array, true, false, nullptr);
    std::string where =
        format("array %u (%zu x %zu x %zu texels)", array.number, array.descriptor.Width, whole.Height, whole.Depth);
    if (report_difference(kernel, launch, where, on_gpu[at], on_cpu[at])) {
      return true;
    }
    at++;
  }
  return false;
}

void GpuNumbers::replace_in(char *bytes, size_t count, bool restore) {
  for (size_t at = 0; at + 8 <= count; at += 8) {
    unsigned long long word = 0;
    std::memcpy(&word, bytes + at, sizeof word);
    if (word < 0x10000) {
      continue;  // no address
    }
    if (const unsigned long long own = on_gpu(word); own != word) {
      std::memcpy(bytes + at, &own, sizeof own);
      if (restore) {
        replaced_.push_back({reinterpret_cast<unsigned long long *>(bytes + at), word, own});
      }
    }
  }
}

GpuNumbers::GpuNumbers(const Arguments &arguments, const std::vector<size_t> &sizes) : own_(arguments) {
  for (const auto &[address, buffer] : state().buffers) {
    replace_in(reinterpret_cast<char *>(address), buffer.bytes, /*restore=*/true);
  }
  if (arguments.params != nullptr) {
    for (size_t i = 0; i < sizes.size(); i++) {
      auto *bytes = static_cast<const char *>(arguments.params[i]);
      values_.emplace_back(bytes, bytes + sizes[i]);
      replace_in(values_.back().data(), sizes[i], /*restore=*/false);
    }
    for (std::vector<char> &value : values_) {
      params_.push_back(value.data());
    }
    own_.params = params_.data();
  } else if (arguments.extra != nullptr) {
    const void *buffer = nullptr;
    for (size_t i = 0; arguments.extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
      buffer = arguments.extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER ? arguments.extra[i + 1] : buffer;
      extra_bytes_ = arguments.extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE ? *static_cast<size_t *>(arguments.extra[i + 1])
                                                                       : extra_bytes_;
    }
    auto *bytes = static_cast<const char *>(buffer);
    values_.emplace_back(bytes, bytes + extra_bytes_);
    replace_in(values_.back().data(), extra_bytes_, /*restore=*/false);
    extra_ = {CU_LAUNCH_PARAM_BUFFER_POINTER, values_.back().data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &extra_bytes_,
              CU_LAUNCH_PARAM_END};
    own_.extra = extra_.data();
  }
}

GpuNumbers::~GpuNumbers() {
  for (const Replaced &one : replaced_) {
    if (*one.place == one.on_gpu) {
      *one.place = one.on_cpu;
    }
  }
}

void put_object_functions(DriverTable &table) {
  table.ArrayDestroy = array_destroy;
  table.MipmappedArrayDestroy = mipmapped_array_destroy;
  table.TexObjectCreate = texture_create;
  table.TexObjectDestroy = texture_destroy;
  table.TexObjectGetResourceDesc = texture_resource;
  table.TexObjectGetTextureDesc = texture_settings;
  table.TexObjectGetResourceViewDesc = texture_view;
  table.SurfObjectCreate = surface_create;
  table.SurfObjectDestroy = surface_destroy;
  table.SurfObjectGetResourceDesc = surface_resource;
}

}  // namespace hel::loader::comparing
