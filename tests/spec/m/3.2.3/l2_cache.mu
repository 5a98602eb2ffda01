// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Setting L2 cache aside: limits, access windows of streams and launches, properties. They are hints: no result changes.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: M-3.2.3-01 M-3.2.3-02 M-3.2.3-03 M-3.2.3-04
#include <musa.h>
#include <musa_runtime.h>

#include "check.h"

__global__ void twice(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] *= 2;
  }
}

int main() {
  musaDeviceProp prop;
  CHECK_MUSA(musaGetDeviceProperties(&prop, 0));
  CHECK(prop.l2CacheSize > 0);
  CHECK(prop.persistingL2CacheMaxSize >= 0 && prop.persistingL2CacheMaxSize <= prop.l2CacheSize);
  CHECK(prop.accessPolicyMaxWindowSize >= 0);
  int same = -1;
  CHECK_MUSA(musaDeviceGetAttribute(&same, musaDevAttrMaxPersistingL2CacheSize, 0));
  CHECK_EQ(same, prop.persistingL2CacheMaxSize);
  CHECK_MUSA(musaDeviceGetAttribute(&same, musaDevAttrMaxAccessPolicyWindowSize, 0));
  CHECK_EQ(same, prop.accessPolicyMaxWindowSize);

  // What is set aside is never more than there is.
  size_t wanted = (size_t)prop.l2CacheSize * 3 / 4, got = ~size_t{0};
  if (!check::is_own_driver() && wanted > (size_t)prop.persistingL2CacheMaxSize) {
    wanted = prop.persistingL2CacheMaxSize;  // others refuse what is more
  }
  CHECK_MUSA(musaDeviceSetLimit(musaLimitPersistingL2CacheSize, wanted));
  CHECK_MUSA(musaDeviceGetLimit(&got, musaLimitPersistingL2CacheSize));
  CHECK(got <= (size_t)prop.persistingL2CacheMaxSize);

  const int n = 10000;
  float *data = nullptr;
  CHECK_MUSA(musaMallocManaged(&data, n * sizeof(float)));
  for (int i = 0; i < n; i++) {
    data[i] = (float)i;
  }
  musaStream_t stream;
  CHECK_MUSA(musaStreamCreate(&stream));
  musaStreamAttrValue attribute = {};
  attribute.accessPolicyWindow.base_ptr = data;
  attribute.accessPolicyWindow.num_bytes = n * sizeof(float);
  attribute.accessPolicyWindow.hitRatio = 0.6f;
  attribute.accessPolicyWindow.hitProp = musaAccessPropertyPersisting;
  attribute.accessPolicyWindow.missProp = musaAccessPropertyStreaming;
  CHECK_MUSA(musaStreamSetAttribute(stream, musaStreamAttributeAccessPolicyWindow, &attribute));
  musaStreamAttrValue back = {};
  CHECK_MUSA(musaStreamGetAttribute(stream, musaStreamAttributeAccessPolicyWindow, &back));
  CHECK_EQ(back.accessPolicyWindow.base_ptr, (void *)data);
  CHECK_EQ(back.accessPolicyWindow.num_bytes, n * sizeof(float));
  CHECK_EQ(back.accessPolicyWindow.hitRatio, 0.6f);
  CHECK_EQ(back.accessPolicyWindow.hitProp, musaAccessPropertyPersisting);
  CHECK_EQ(back.accessPolicyWindow.missProp, musaAccessPropertyStreaming);
  twice<<<(n + 255) / 256, 256, 0, stream>>>(data, n);
  attribute.accessPolicyWindow.hitRatio = 1.5f;
  CHECK_ERROR(musaStreamSetAttribute(stream, musaStreamAttributeAccessPolicyWindow, &attribute), musaErrorInvalidValue);
  attribute.accessPolicyWindow.hitRatio = 0.5f;
  attribute.accessPolicyWindow.missProp = musaAccessPropertyPersisting;
  CHECK_ERROR(musaStreamSetAttribute(stream, musaStreamAttributeAccessPolicyWindow, &attribute), musaErrorInvalidValue);
  attribute.accessPolicyWindow.missProp = musaAccessPropertyNormal;
  attribute.accessPolicyWindow.num_bytes = 0;  // switched off
  CHECK_MUSA(musaStreamSetAttribute(stream, musaStreamAttributeAccessPolicyWindow, &attribute));
  CHECK_MUSA(musaCtxResetPersistingL2Cache());
  twice<<<(n + 255) / 256, 256, 0, stream>>>(data, n);
  CHECK_MUSA(musaStreamSynchronize(stream));
  for (int i = 0; i < n; i += 97) {
    CHECK_EQ(data[i], 4.0f * (float)i);
  }
  CHECK_MUSA(musaStreamDestroy(stream));
  CHECK_MUSA(musaFree(data));
  return check_report();
}
