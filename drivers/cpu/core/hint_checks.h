// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of attributes that streams and launches share and that are hints to hardware: they change no result here, and
// are refused where their values mean nothing.
#pragma once

#include "base/result.h"

#include <cuda.h>

namespace hel::cpu {

inline Result<void> check_access_window(const CUaccessPolicyWindow &window) {
  const bool known = window.hitProp >= CU_ACCESS_PROPERTY_NORMAL && window.hitProp <= CU_ACCESS_PROPERTY_PERSISTING &&
                     window.missProp >= CU_ACCESS_PROPERTY_NORMAL && window.missProp <= CU_ACCESS_PROPERTY_STREAMING;
  if (window.num_bytes != 0 && (!known || !(window.hitRatio >= 0 && window.hitRatio <= 1))) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "an access window with the ratio %g and the properties %d and %d",
                    static_cast<double>(window.hitRatio), static_cast<int>(window.hitProp),
                    static_cast<int>(window.missProp));
  }
  return {};
}

inline Result<void> check_sync_policy(CUsynchronizationPolicy policy) {
  if (policy < CU_SYNC_POLICY_AUTO || policy > CU_SYNC_POLICY_BLOCKING_SYNC) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no synchronisation policy has the number %d", static_cast<int>(policy));
  }
  return {};
}

inline Result<void> check_sync_domain(CUlaunchMemSyncDomain domain) {
  if (domain != CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT && domain != CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no synchronisation domain has the number %d", static_cast<int>(domain));
  }
  return {};
}

}  // namespace hel::cpu
