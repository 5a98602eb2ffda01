// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events. A cudaEvent_t is the driver's CUevent.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"

namespace hel::rt {

Result<void> event_create(cudaEvent_t *event) { return event_create_with_flags(event, cudaEventDefault); }

Result<void> event_create_with_flags(cudaEvent_t *event, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->EventCreate(event, flags));
}

Result<void> event_record(cudaEvent_t event, cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())->EventRecord(event, stream));
}

Result<void> event_record_with_flags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->EventRecordWithFlags(event, stream, flags));
}

Result<void> event_query(cudaEvent_t event) { return check(HEL_TRY(bound_driver())->EventQuery(event)); }

Result<void> event_synchronize(cudaEvent_t event) { return check(HEL_TRY(bound_driver())->EventSynchronize(event)); }

Result<void> event_destroy(cudaEvent_t event) { return check(HEL_TRY(bound_driver())->EventDestroy(event)); }

Result<void> event_elapsed_time(float *ms, cudaEvent_t start, cudaEvent_t end) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (ms == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "ms is null");
  }
  return check(cu->EventElapsedTime(ms, start, end));
}

}  // namespace hel::rt
