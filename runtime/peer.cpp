// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access of one device to another one's memory.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"

namespace hel::rt {

Result<void> device_can_access_peer(int *canAccessPeer, int device, int peerDevice) {
  if (canAccessPeer == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "canAccessPeer is null");
  }
  HEL_TRY(check_device(device));
  HEL_TRY(check_device(peerDevice));
  return check(HEL_TRY(driver())->DeviceCanAccessPeer(canAccessPeer, device, peerDevice));
}

Result<void> device_enable_peer_access(int peerDevice, unsigned int flags) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  CUcontext peer = HEL_TRY(primary_context(peerDevice));
  int device = HEL_TRY(current_device());
  int possible = 0;
  HEL_TRY(check(cu->DeviceCanAccessPeer(&possible, device, peerDevice)));
  if (possible == 0) {
    return HEL_FAIL(cudaErrorPeerAccessUnsupported, "device %d cannot reach the memory of device %d", device, peerDevice);
  }
  return check(cu->CtxEnablePeerAccess(peer, flags));
}

Result<void> device_disable_peer_access(int peerDevice) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  CUcontext peer = HEL_TRY(primary_context(peerDevice));
  return check(cu->CtxDisablePeerAccess(peer));
}

Result<void> device_get_p2p_attribute(int *value, cudaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  if (value == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "value is null");
  }
  HEL_TRY(check_device(srcDevice));
  HEL_TRY(check_device(dstDevice));
  auto attribute = static_cast<CUdevice_P2PAttribute>(attr);
  return check(HEL_TRY(driver())->DeviceGetP2PAttribute(value, attribute, srcDevice, dstDevice));
}

static_assert(static_cast<int>(cudaAtomicOperationFloatMax) == static_cast<int>(CU_ATOMIC_OPERATION_FLOAT_MAX));

Result<void> device_get_host_atomic_capabilities(unsigned int *capabilities, const cudaAtomicOperation *operations,
                                                 unsigned int count, int device) {
  const auto *same = reinterpret_cast<const CUatomicOperation *>(operations);
  return check(HEL_TRY(driver())->DeviceGetHostAtomicCapabilities(capabilities, same, count, device));
}

Result<void> device_get_p2p_atomic_capabilities(unsigned int *capabilities, const cudaAtomicOperation *operations,
                                                unsigned int count, int srcDevice, int dstDevice) {
  const auto *same = reinterpret_cast<const CUatomicOperation *>(operations);
  return check(HEL_TRY(driver())->DeviceGetP2PAtomicCapabilities(capabilities, same, count, srcDevice, dstDevice));
}

}  // namespace hel::rt
