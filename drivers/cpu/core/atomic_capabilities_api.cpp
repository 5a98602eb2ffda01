// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: which atomic operations work on memory of the host and of other devices. All memory is the host's, so
// the answer is what kernels can do at all.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

constexpr unsigned kBothSizes = CU_ATOMIC_CAPABILITY_SCALAR_32 | CU_ATOMIC_CAPABILITY_SCALAR_64;
constexpr unsigned kUnsigned = CU_ATOMIC_CAPABILITY_UNSIGNED | CU_ATOMIC_CAPABILITY_REDUCTION;
constexpr unsigned kInteger = kUnsigned | CU_ATOMIC_CAPABILITY_SIGNED;

Result<unsigned> capability(CUatomicOperation operation) {
  switch (operation) {
    case CU_ATOMIC_OPERATION_INTEGER_ADD:
    case CU_ATOMIC_OPERATION_INTEGER_MIN:
    case CU_ATOMIC_OPERATION_INTEGER_MAX:
    case CU_ATOMIC_OPERATION_AND:
    case CU_ATOMIC_OPERATION_OR:
    case CU_ATOMIC_OPERATION_XOR:
      return kInteger | kBothSizes;
    case CU_ATOMIC_OPERATION_INTEGER_INCREMENT:
    case CU_ATOMIC_OPERATION_INTEGER_DECREMENT:
      return kUnsigned | CU_ATOMIC_CAPABILITY_SCALAR_32;
    case CU_ATOMIC_OPERATION_EXCHANGE:
    case CU_ATOMIC_OPERATION_CAS:
      return CU_ATOMIC_CAPABILITY_SIGNED | CU_ATOMIC_CAPABILITY_UNSIGNED | kBothSizes;
    case CU_ATOMIC_OPERATION_FLOAT_ADD:
      return CU_ATOMIC_CAPABILITY_REDUCTION | kBothSizes;
    case CU_ATOMIC_OPERATION_FLOAT_MIN:
    case CU_ATOMIC_OPERATION_FLOAT_MAX:
      return 0u;
    case CU_ATOMIC_OPERATION_MAX:
      break;
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no atomic operation has the number %d", static_cast<int>(operation));
}

Result<void> capabilities_of(unsigned *capabilities, const CUatomicOperation *operations, unsigned count) {
  HEL_TRY(check_out(capabilities, "capabilities"));
  HEL_TRY(check_out(operations, "operations"));
  if (count == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no operation was asked about");
  }
  for (unsigned i = 0; i < count; i++) {
    HEL_TRY(capability(operations[i]));
  }
  for (unsigned i = 0; i < count; i++) {
    capabilities[i] = HEL_TRY(capability(operations[i]));
  }
  return {};
}

}  // namespace

Result<void> device_get_host_atomic_capabilities(unsigned int *capabilities, const CUatomicOperation *operations,
                                                 unsigned int count, CUdevice dev) {
  HEL_TRY(find_device(dev));
  return capabilities_of(capabilities, operations, count);
}

Result<void> device_get_p2p_atomic_capabilities(unsigned int *capabilities, const CUatomicOperation *operations,
                                                unsigned int count, CUdevice srcDevice, CUdevice dstDevice) {
  HEL_TRY(find_device(srcDevice));
  HEL_TRY(find_device(dstDevice));
  if (srcDevice == dstDevice) {
    return HEL_FAIL(CUDA_ERROR_INVALID_DEVICE, "device %d is no peer of itself", srcDevice);
  }
  return capabilities_of(capabilities, operations, count);
}

}  // namespace hel::cpu
