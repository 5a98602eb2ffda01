// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds two vectors on the device and checks every element of the result.
#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void vector_add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

// Ends the program with the place and the error's text when a call fails.
#define CHECK(call)                                                                         \
  do {                                                                                      \
    musaError_t error = (call);                                                             \
    if (error != musaSuccess) {                                                             \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, musaGetErrorString(error));   \
      return 1;                                                                             \
    }                                                                                       \
  } while (0)

int main() {
  const int n = 1 << 20;
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f * i;
    b[i] = 2.0f * (n - i);
  }

  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  CHECK(musaMalloc(&device_a, bytes));
  CHECK(musaMalloc(&device_b, bytes));
  CHECK(musaMalloc(&device_c, bytes));
  CHECK(musaMemcpy(device_a, a.data(), bytes, musaMemcpyHostToDevice));
  CHECK(musaMemcpy(device_b, b.data(), bytes, musaMemcpyHostToDevice));

  const int block = 256;
  vector_add<<<(n + block - 1) / block, block>>>(device_a, device_b, device_c, n);
  CHECK(musaGetLastError());
  CHECK(musaMemcpy(c.data(), device_c, bytes, musaMemcpyDeviceToHost));
  CHECK(musaFree(device_a));
  CHECK(musaFree(device_b));
  CHECK(musaFree(device_c));

  for (int i = 0; i < n; ++i) {
    if (c[i] != a[i] + b[i]) {
      std::fprintf(stderr, "wrong: element %d is %g, not %g\n", i, c[i], a[i] + b[i]);
      return 1;
    }
  }
  musaDeviceProp device{};
  CHECK(musaGetDeviceProperties(&device, 0));
  std::printf("vector_add: %d elements, all right, on %s\n", n, device.name);
  return 0;
}
