// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams. A cudaStream_t is the driver's CUstream.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

namespace hel::rt {

Result<void> stream_create(cudaStream_t *pStream) { return stream_create_with_flags(pStream, cudaStreamDefault); }

Result<void> stream_create_with_flags(cudaStream_t *pStream, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->StreamCreate(pStream, flags));
}

Result<void> stream_create_with_priority(cudaStream_t *pStream, unsigned int flags, int priority) {
  return check(HEL_TRY(bound_driver())->StreamCreateWithPriority(pStream, flags, priority));
}

Result<void> stream_get_priority(cudaStream_t hStream, int *priority) {
  return check(HEL_TRY(bound_driver())->StreamGetPriority(hStream, priority));
}

Result<void> stream_get_flags(cudaStream_t hStream, unsigned int *flags) {
  return check(HEL_TRY(bound_driver())->StreamGetFlags(hStream, flags));
}

Result<void> stream_get_id(cudaStream_t hStream, unsigned long long *streamId) {
  return check(HEL_TRY(bound_driver())->StreamGetId(hStream, streamId));
}

Result<void> stream_get_device(cudaStream_t hStream, int *device) {
  return check(HEL_TRY(bound_driver())->StreamGetDevice(hStream, device));
}

Result<void> stream_copy_attributes(cudaStream_t dst, cudaStream_t src) {
  return check(HEL_TRY(bound_driver())->StreamCopyAttributes(dst, src));
}

static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUlaunchAttributeValue));

Result<void> stream_get_attribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                  cudaLaunchAttributeValue *value_out) {
  return check(HEL_TRY(bound_driver())
                   ->StreamGetAttribute(hStream, static_cast<CUstreamAttrID>(attr),
                                        reinterpret_cast<CUstreamAttrValue *>(value_out)));
}

Result<void> stream_set_attribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                  const cudaLaunchAttributeValue *value) {
  return check(HEL_TRY(bound_driver())
                   ->StreamSetAttribute(hStream, static_cast<CUstreamAttrID>(attr),
                                        reinterpret_cast<const CUstreamAttrValue *>(value)));
}

Result<void> stream_destroy(cudaStream_t stream) { return check(HEL_TRY(bound_driver())->StreamDestroy(stream)); }

Result<void> stream_wait_event(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->StreamWaitEvent(stream, event, flags));
}

Result<void> stream_add_callback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                 unsigned int flags) {
  // The two callback types differ in the name of the code's enum only.
  auto driver_callback = reinterpret_cast<CUstreamCallback>(reinterpret_cast<void *>(callback));
  return check(HEL_TRY(bound_driver())->StreamAddCallback(stream, driver_callback, userData, flags));
}

Result<void> launch_host_func(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  return check(HEL_TRY(bound_driver())->LaunchHostFunc(stream, fn, userData));
}

Result<void> stream_synchronize(cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())->StreamSynchronize(stream));
}

Result<void> stream_query(cudaStream_t stream) { return check(HEL_TRY(bound_driver())->StreamQuery(stream)); }

Result<void> stream_attach_mem_async(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->StreamAttachMemAsync(stream, device_pointer(devPtr), length, flags));
}

}  // namespace hel::rt
