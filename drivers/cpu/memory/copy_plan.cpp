// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/copy_plan.h"

#include "base/driver_params.h"

#include "drivers/cpu/memory/array.h"
#include "drivers/cpu/memory/registry.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

namespace hel::cpu {
namespace {

/// On the calling thread's own stack, where many small copies begin or end.
bool on_own_stack(uintptr_t address, size_t bytes) {
  struct Stack {
    uintptr_t high = 0;
    Stack() {
      pthread_attr_t attributes;
      if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *start = nullptr;
        size_t size = 0;
        pthread_attr_getstack(&attributes, &start, &size);
        pthread_attr_destroy(&attributes);
        high = reinterpret_cast<uintptr_t>(start) + size;
      }
    }
  };
  static thread_local const Stack stack_local;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return address >= here && address < stack_local.high && bytes <= stack_local.high - address;
}

/// Whether every page of the range can be read, or written. Asked for memory that nobody told us about.
bool is_accessible(uintptr_t address, size_t bytes, bool written) {
  if (on_own_stack(address, bytes)) {
    return true;
  }
  constexpr size_t kPage = 4096;
  const uintptr_t start = address / kPage * kPage;
  if (madvise(reinterpret_cast<void *>(start), address + bytes - start,
              written ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0) {
    return true;
  }
  if (errno != EINVAL) {  // else the system does not know this question, or not for this kind of mapping
    return false;
  }
  constexpr size_t kPagesAtOnce = 16384;
  unsigned char resident[kPagesAtOnce];
  uintptr_t first = start;
  for (uintptr_t end = address + bytes; first < end;) {
    size_t length = std::min(kPagesAtOnce * kPage, end - first);
    if (mincore(reinterpret_cast<void *>(first), length, resident) != 0) {
      return false;
    }
    first += kPagesAtOnce * kPage;
  }
  return true;
}

/// One end of a copy, as the structs of the API describe it.
struct End {
  CUmemorytype type;
  uintptr_t host, device;
  CUarray array;
  size_t x, y, z, pitch, height;
  const char *name;
  bool written;
};

/// The same, resolved.
struct Place {
  uint8_t *start = nullptr;
  size_t pitch = 0, slice = 0;
  bool pageable = false;
  Ref<Array> array;
};

constexpr size_t kMaxPitch = 0x7FFFFFFF;  // CU_DEVICE_ATTRIBUTE_MAX_PITCH

/// Mappings that follow each other are one memory, if all of them allow the access.
Result<void> check_mappings(uintptr_t pointer, size_t bytes, const char *what, bool written) {
  const unsigned wanted = written ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_READ;
  for (const uintptr_t end = pointer + bytes; pointer < end;) {
    Allocation *piece = find_allocation(pointer);
    if (piece == nullptr || piece->kind != MemoryKind::Mapped || (piece->flags.load() & wanted) != wanted) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: nothing is mapped at 0x%zx, or without %s access", what, pointer,
                      written ? "write" : "read");
    }
    pointer = piece->base + piece->bytes;
  }
  return {};
}

bool overflows(size_t a, size_t b) { return b != 0 && a > (size_t{1} << 46) / b; }

Result<Place> place_in_array(const End &end, size_t width, size_t height, size_t depth) {
  Place place;
  place.array = HEL_TRY(find<Array>(end.array));
  const Array &array = *place.array;
  if (end.x % array.element_bytes() != 0 || width % array.element_bytes() != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: x %zu or width %zu is no multiple of the element's %zu bytes",
                    end.name, end.x, width, array.element_bytes());
  }
  if (width > array.pitch() || end.x > array.pitch() - width || height > array.rows() ||
      end.y > array.rows() - height || depth > array.planes() || end.z > array.planes() - depth) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: the copy reaches outside the array", end.name);
  }
  place.pitch = array.pitch();
  place.slice = array.slice();
  place.start = array.data() + end.z * place.slice + end.y * place.pitch + end.x;
  return place;
}

Result<Place> place_in_memory(const End &end, size_t width, size_t height, size_t depth) {
  Place place;
  place.pitch = end.pitch == 0 ? width + end.x : end.pitch;
  const bool rows = height > 1 || depth > 1 || end.y != 0 || end.z != 0;
  if ((rows || end.pitch != 0) && place.pitch < width + end.x) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: the pitch %zu is less than x + width, %zu", end.name, place.pitch,
                    width + end.x);
  }
  const size_t slice_rows = end.height == 0 ? height + end.y : end.height;
  if (depth > 1 && slice_rows < height + end.y) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: the height %zu is less than y + height, %zu", end.name, slice_rows,
                    height + end.y);
  }
  if (end.pitch > kMaxPitch) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: the pitch %zu is more than %zu", end.name, end.pitch, kMaxPitch);
  }
  if (overflows(place.pitch, slice_rows) || overflows(place.pitch * slice_rows, end.z + depth)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: pitch %zu and height %zu are too large", end.name, place.pitch,
                    slice_rows);
  }
  place.slice = place.pitch * slice_rows;
  const uintptr_t base = end.type == CU_MEMORYTYPE_HOST ? end.host : end.device;
  const uintptr_t start = base + end.z * place.slice + end.y * place.pitch + end.x;
  const size_t extent = (depth - 1) * place.slice + (height - 1) * place.pitch + width;
  place.pageable = HEL_TRY(check_memory(start, extent, end.name, end.written));
  place.start = reinterpret_cast<uint8_t *>(start);
  return place;
}

Result<Place> place_of(const End &end, size_t width, size_t height, size_t depth) {
  switch (end.type) {
    case CU_MEMORYTYPE_ARRAY:
      return place_in_array(end, width, height, depth);
    case CU_MEMORYTYPE_HOST:
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return place_in_memory(end, width, height, depth);
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: no memory type has the number %d", end.name,
                      static_cast<int>(end.type));
  }
}

/// Joins rows that follow each other without gaps, so that a plan without gaps is one row.
void flatten(CopyPlan &plan) {
  if (plan.height > 1 && plan.source_pitch == plan.width && plan.target_pitch == plan.width) {
    plan.width *= plan.height;
    plan.height = 1;
  }
  if (plan.depth > 1 && plan.height == 1 && plan.source_slice == plan.width && plan.target_slice == plan.width) {
    plan.width *= plan.depth;
    plan.depth = 1;
  }
}

Result<CopyPlan> plan_ends(const End &target, const End &source, size_t width, size_t height, size_t depth) {
  CopyPlan plan;
  if (width == 0 || height == 0 || depth == 0) {
    return plan;
  }
  Place from = HEL_TRY(place_of(source, width, height, depth));
  Place to = HEL_TRY(place_of(target, width, height, depth));
  plan.source = from.start;
  plan.target = to.start;
  plan.width = width;
  plan.height = height;
  plan.depth = depth;
  plan.source_pitch = from.pitch;
  plan.source_slice = from.slice;
  plan.target_pitch = to.pitch;
  plan.target_slice = to.slice;
  plan.pageable = from.pageable || to.pageable;
  flatten(plan);
  return plan;
}

}  // namespace

Result<bool> check_memory(uintptr_t pointer, size_t bytes, const char *what, bool written) {
  if (bytes == 0) {
    return false;
  }
  if (pointer == 0 || pointer + bytes < pointer) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: %zu bytes at 0x%zx do not exist", what, bytes, pointer);
  }
  Allocation *allocation = find_allocation(pointer);
  if (allocation != nullptr && allocation->kind == MemoryKind::Mapped) {
    HEL_TRY(check_mappings(pointer, bytes, what, written));
    return false;
  }
  if (allocation != nullptr) {
    if (!allocation->holds(pointer, bytes) && allocation->kind != MemoryKind::Registered) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: %zu bytes at 0x%zx reach outside the %zu-byte allocation at 0x%zx",
                      what, bytes, pointer, allocation->bytes, allocation->base);
    }
    if (allocation->holds(pointer, bytes)) {
      return allocation->sync_memops.load(std::memory_order_relaxed);
    }
  }
  if (in_driver_range(pointer) || in_driver_range(pointer + bytes - 1)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: 0x%zx is %s", what, pointer,
                    describe_address(reinterpret_cast<void *>(pointer)).c_str());
  }
  if (!is_accessible(pointer, bytes, written)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s: the process has no %zu bytes at 0x%zx", what, bytes, pointer);
  }
  return true;
}

Result<CopyPlan> plan_copy(uintptr_t target, uintptr_t source, size_t bytes) {
  CopyPlan plan;
  const bool to = HEL_TRY(check_memory(target, bytes, "target", true));
  const bool from = HEL_TRY(check_memory(source, bytes, "source"));
  plan.target = reinterpret_cast<uint8_t *>(target);
  plan.source = reinterpret_cast<const uint8_t *>(source);
  plan.width = bytes;
  plan.pageable = to || from;
  return plan;
}

Result<CopyPlan> plan_copy_2d(const CUDA_MEMCPY2D &c) { return plan_copy_3d(box_of<CUDA_MEMCPY3D>(c)); }

Result<CopyPlan> plan_copy_3d(const CUDA_MEMCPY3D &c) {
  if (c.srcLOD != 0 || c.dstLOD != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "levels of detail %zu and %zu must be 0", c.srcLOD, c.dstLOD);
  }
  End source{c.srcMemoryType,
             reinterpret_cast<uintptr_t>(c.srcHost),
             c.srcDevice,
             c.srcArray,
             c.srcXInBytes,
             c.srcY,
             c.srcZ,
             c.srcPitch,
             c.srcHeight,
             "source",
             false};
  End target{c.dstMemoryType,
             reinterpret_cast<uintptr_t>(c.dstHost),
             c.dstDevice,
             c.dstArray,
             c.dstXInBytes,
             c.dstY,
             c.dstZ,
             c.dstPitch,
             c.dstHeight,
             "target",
             true};
  return plan_ends(target, source, c.WidthInBytes, c.Height, c.Depth);
}

}  // namespace hel::cpu
