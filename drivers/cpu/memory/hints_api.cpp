// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: advice and prefetching of managed memory, and questions about both.
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/memory/hints.h"
#include "drivers/cpu/memory/registry.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>
#include <cstring>

namespace hel::cpu {
namespace {

/// Hints may be given for managed and for pageable memory.
Result<void> check_hint_range(CUdeviceptr pointer, size_t count) {
  if (pointer == 0 || count == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%llx are no range", count,
                    static_cast<unsigned long long>(pointer));
  }
  const Allocation *allocation = find_allocation(pointer);
  if (allocation == nullptr ? in_driver_range(pointer)
                            : allocation->kind != MemoryKind::Managed || !allocation->holds(pointer, count)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%llx are not managed memory", count,
                    static_cast<unsigned long long>(pointer));
  }
  return {};
}

/// `absent`: what the call says of a device that is not there (an H200's driver says one thing of advice and another of
/// prefetches).
Result<void> check_location(const CUmemLocation &location, CUresult absent) {
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      if (!find_device(location.id)) {
        return HEL_FAIL(absent, "there is no device %d", location.id);
      }
      return {};
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no location has the type %d", static_cast<int>(location.type));
  }
}

/// The location that CUdevice numbers mean in the first versions of these functions.
CUmemLocation location_of(CUdevice device) {
  CUmemLocation location{};
  location.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device == CU_DEVICE_CPU ? 0 : device;
  return location;
}

void set_accessed(Hints &hints, const CUmemLocation &location, bool accessed) {
  if (location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    hints.accessed_by_host = accessed;
    return;
  }
  const uint64_t bit = 1ull << location.id;
  hints.accessed_by = accessed ? hints.accessed_by | bit : hints.accessed_by & ~bit;
}

/// The location that all pages agree on.
CUmemLocation common(const std::vector<Hints> &all, CUmemLocation Hints::*member) {
  const CUmemLocation &first = all.front().*member;
  const bool agree = std::all_of(all.begin(), all.end(), [&](const Hints &hints) {
    return (hints.*member).type == first.type && (hints.*member).id == first.id;
  });
  return agree ? first : CUmemLocation{CU_MEM_LOCATION_TYPE_INVALID, 0};
}

int device_number(const CUmemLocation &location) {
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_INVALID:
      return CU_DEVICE_INVALID;
    case CU_MEM_LOCATION_TYPE_DEVICE:
      return location.id;
    default:
      return CU_DEVICE_CPU;
  }
}

/// Devices that all pages name, then CU_DEVICE_INVALID.
void put_accessed(const std::vector<Hints> &all, int *out, size_t count) {
  uint64_t devices = ~0ull;
  bool host = true;
  for (const Hints &hints : all) {
    devices &= hints.accessed_by;
    host = host && hints.accessed_by_host;
  }
  size_t at = 0;
  if (host && at < count) {
    out[at++] = CU_DEVICE_CPU;
  }
  for (int i = 0; i < 64 && at < count; i++) {
    if ((devices >> i & 1) != 0) {
      out[at++] = i;
    }
  }
  std::fill(out + at, out + count, static_cast<int>(CU_DEVICE_INVALID));
}

Result<void> range_attribute(void *data, size_t size, CUmem_range_attribute which, const std::vector<Hints> &all) {
  if (size == 0 || size % 4 != 0 || (which != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY && size != 4)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes do not fit the attribute %d", size, static_cast<int>(which));
  }
  int value = 0;
  switch (which) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      value = std::all_of(all.begin(), all.end(), [](const Hints &hints) { return hints.read_mostly; });
      break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      value = device_number(common(all, &Hints::preferred));
      break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      value = device_number(common(all, &Hints::prefetched));
      break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      value = static_cast<int>(common(all, &Hints::preferred).type);
      break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      value = common(all, &Hints::preferred).id;
      break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      value = static_cast<int>(common(all, &Hints::prefetched).type);
      break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      value = common(all, &Hints::prefetched).id;
      break;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
      put_accessed(all, static_cast<int *>(data), size / 4);
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "ranges have no attribute %d", static_cast<int>(which));
  }
  std::memcpy(data, &value, sizeof value);
  return {};
}

}  // namespace

Result<void> mem_advise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location) {
  HEL_TRY(current_context());
  HEL_TRY(check_hint_range(devPtr, count));
  if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no advice has the number %d", static_cast<int>(advice));
  }
  if (advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice >= CU_MEM_ADVISE_SET_ACCESSED_BY) {
    HEL_TRY(check_location(location, CUDA_ERROR_INVALID_VALUE));
  }
  change_hints(devPtr, count, [&](Hints &hints) {
    switch (advice) {
      case CU_MEM_ADVISE_SET_READ_MOSTLY:
      case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
        hints.read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
        break;
      case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
        hints.preferred = location;
        break;
      case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        hints.preferred = Hints{}.preferred;
        break;
      case CU_MEM_ADVISE_SET_ACCESSED_BY:
      case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
        set_accessed(hints, location, advice == CU_MEM_ADVISE_SET_ACCESSED_BY);
        break;
    }
  });
  return {};
}

Result<void> mem_advise_v1(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device) {
  return mem_advise(devPtr, count, advice, location_of(device));
}

Result<void> mem_prefetch_async(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                                CUstream hStream) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  if (stream->captured()) {
    return refuse_in_capture(*stream, "a prefetch");
  }
  HEL_TRY(check_flags(flags, 0));
  HEL_TRY(check_hint_range(devPtr, count));
  HEL_TRY(check_location(location, CUDA_ERROR_INVALID_DEVICE));
  change_hints(devPtr, count, [&](Hints &hints) { hints.prefetched = location; });
  return {};
}

Result<void> mem_prefetch_async_v1(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream) {
  return mem_prefetch_async(devPtr, count, location_of(dstDevice), 0, hStream);
}

Result<void> mem_range_get_attributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
                                      size_t numAttributes, CUdeviceptr devPtr, size_t count) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(data, "data"));
  HEL_TRY(check_out(dataSizes, "dataSizes"));
  HEL_TRY(check_out(attributes, "attributes"));
  HEL_TRY(check_hint_range(devPtr, count));
  const std::vector<Hints> all = hints_of(devPtr, count);
  for (size_t i = 0; i < numAttributes; i++) {
    HEL_TRY(check_out(data[i], "data[i]"));
    HEL_TRY(range_attribute(data[i], dataSizes[i], attributes[i], all));
  }
  return {};
}

Result<void> mem_range_get_attribute(void *data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                     size_t count) {
  return mem_range_get_attributes(&data, &dataSize, &attribute, 1, devPtr, count);
}

}  // namespace hel::cpu
