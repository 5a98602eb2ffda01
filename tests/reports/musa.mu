// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of MUSA programs.
// report: ggml-org/llama.cpp#12445, kvcache-ai/Mooncake#2329, MooreThreads/torch_musa#127, MooreThreads/torchada#100
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

#include <musa.h>
#include <musa_bf16.h>
#include <musa_fp16.h>
#include <musa_runtime.h>

#include <optional>
#include <type_traits>
#include <variant>

// github.com/MooreThreads/torch_musa/issues/127: the C++ library's headers are found; github.com/kvcache-ai/Mooncake/pull/2329: modern
// templates are read in kernels too
template <typename... Ts> struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts> Overloaded(Ts...) -> Overloaded<Ts...>;
template <typename T> constexpr bool is_narrow = std::is_same_v<T, __mt_bfloat16> || std::is_same_v<T, __half>;

template <typename T> __device__ float squared(T x) {
  if constexpr (is_narrow<T>) {
    return static_cast<float>(x * x);
  } else {
    return x * x;
  }
}

// The same: all operators of the 16-bit types.
__global__ void operators(float *out) {
  __mt_bfloat16 a = 3.0f, b = 0.5f;
  a += b;
  a *= a;
  a -= b;
  a /= __mt_bfloat16(2.0f);
  out[0] = static_cast<float>(a);
  out[1] = static_cast<float>(-a + b * a - b / a);
  out[2] = (a > b) + 2 * (a == b) + 4 * (a != b) + 8 * (b <= a);
  out[3] = squared(b) + squared(__half(3.0f)) + squared(2.0f);
  __mt_bfloat162 two = __floats2bfloat162_rn(1.5f, -2.0f);
  two = two * two + two;
  out[4] = __low2float(two) * 100 + __high2float(two);
}

// github.com/ggml-org/llama.cpp/pull/12445: one warp size everywhere
__global__ void warp_size(int *out) {
  int lane = threadIdx.x % warpSize, sum = lane;
  for (int delta = warpSize / 2; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (threadIdx.x == 0) {
    out[0] = warpSize;
    out[1] = sum;
  }
}

// github.com/MooreThreads/torchada/pull/100: both worlds' versions are numbers that guards can compare
static_assert(MUSA_VERSION > 0 && MUSART_VERSION > 0, "versions of MUSA");
#if defined(CUDA_VERSION)
#error "a MUSA program is not asked to be a CUDA program"
#endif

int main() {
  float *out;
  int *sizes;
  CHECK_MUSA(musaMallocManaged(&out, 5 * sizeof *out));
  CHECK_MUSA(musaMallocManaged(&sizes, 2 * sizeof *sizes));
  operators<<<1, 1>>>(out);
  warp_size<<<1, 64>>>(sizes);
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_EQ(out[0], 5.875f);
  CHECK_EQ(out[1], -3.015625f);
  CHECK_EQ(out[2], 13.0f);
  CHECK_EQ(out[3], 13.25f);
  CHECK_EQ(out[4], 377.0f);
  musaDeviceProp properties;
  CHECK_MUSA(musaGetDeviceProperties(&properties, 0));
  CHECK_EQ(sizes[0], properties.warpSize);
  CHECK_EQ(sizes[1], properties.warpSize * (properties.warpSize - 1) / 2);
  std::variant<int, float> value = 4.0f;
  std::optional<int> seen;
  std::visit(Overloaded{[&](int i) { seen = i; }, [&](float) { seen = 7; }}, value);
  CHECK_EQ(*seen, 7);
  return check_report();
}
