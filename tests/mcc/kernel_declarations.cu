// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and launches in the forms that the language allows: attributes in each place, linkage, friends, kernels as template
// arguments and in constants, everything that may stand between <<< and >>>.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_90 -I%source/tests/support -c %s -o %t.o %}
// covers: C-5.4.1.1-01 C-5.3.10.5-03
#include "check.h"

#include <cuda_runtime.h>

#include <type_traits>

// --- attributes
extern "C" __global__ void of_c(int *p) { *p += 1; }
extern "C" {
__global__ static void of_c_static(int *p) { *p += 1; }
static void __global__ static_of_c(int *p) { *p += 1; }
}
void __global__ behind_type(int *p) { *p += 1; }
__global__ inline void is_inline(int *p) { *p += 1; }
static inline __global__ void static_inline(int *p) { *p += 1; }
extern __global__ void declared(int *p);
__global__ void declared(int *p) { *p += 1; }
[[deprecated]] __global__ void old(int *p);
__global__ [[maybe_unused]] void unused(int *p) { *p += 1; }
__attribute__((global)) void spelt_out(int *p) { *p += 1; }
typedef void Nothing;
template <typename T> using Same = T;
__global__ Same<Nothing> of_alias(Same<int> *p) { *p += 1; }
__global__ auto trailing(int *p) -> void { *p += 1; }
namespace {
__global__ void unnamed_namespace(int *p) { *p += 1; }
struct Local {
  int value;
};
__global__ void local_type(Local x, int *p) { *p += x.value; }
}  // namespace
namespace outer::middle {
inline namespace inner {
__global__ void nested(int *p) { *p += 1; }
}  // namespace inner
}  // namespace outer::middle

#define BOUND 32
enum { kBound = 32 };
constexpr int bound() { return 64; }
__launch_bounds__(128) __global__ void bounds_first(int *p) { *p += 1; }
__global__ __launch_bounds__(BOUND * 2) void bounds_second(int *p) { *p += 1; }
__global__ void __launch_bounds__(kBound) bounds_third(int *p) { *p += 1; }
void __launch_bounds__(bound(), 2) __global__ bounds_before(int *p) { *p += 1; }
__global__ void bounds_behind(int *p) __launch_bounds__(128);
__global__ void bounds_behind(int *p) { *p += 1; }
template <int N> __launch_bounds__(N) __global__ void bounds_of_template(int *p) { *p += 1; }

__forceinline__ __device__ int f1(int x) { return x + 1; }
static __device__ __forceinline__ int f2(int x) { return x + 1; }
inline int __device__ f3(int x) { return x + 1; }
int __device__ __noinline__ f4(int x) { return x + 1; }
constexpr __device__ __host__ int f5(int x) { return x + 1; }
template <typename T> T __device__ f6(T x) { return x + 1; }
__device__ [[nodiscard]] int f7(int x) { return x + 1; }
auto __device__ f8(int x) -> int { return x + 1; }
__global__ void functions(int *p) { *p += f1(0) + f2(0) + f3(0) + f4(0) + f5(0) + f6(0) + f7(0) + f8(0); }

void test_attributes(int *p) {
  *p = 0;
  of_c<<<1, 1>>>(p);
  of_c_static<<<1, 1>>>(p);
  static_of_c<<<1, 1>>>(p);
  behind_type<<<1, 1>>>(p);
  is_inline<<<1, 1>>>(p);
  static_inline<<<1, 1>>>(p);
  declared<<<1, 1>>>(p);
  unused<<<1, 1>>>(p);
  spelt_out<<<1, 1>>>(p);
  of_alias<<<1, 1>>>(p);
  trailing<<<1, 1>>>(p);
  unnamed_namespace<<<1, 1>>>(p);
  local_type<<<1, 1>>>(Local{1}, p);
  outer::middle::nested<<<1, 1>>>(p);
  bounds_first<<<1, 1>>>(p);
  bounds_second<<<1, 1>>>(p);
  bounds_third<<<1, 1>>>(p);
  bounds_before<<<1, 1>>>(p);
  bounds_behind<<<1, 1>>>(p);
  bounds_of_template<32><<<1, 1>>>(p);
  functions<<<1, 1>>>(p);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*p, 20 + 8);
}

// --- kernels as values
class Counter {
  int value_ = 0;
  friend __global__ void befriended(Counter *);
  template <typename T> friend __global__ void befriended_template(T *);

public:
  int value() const { return value_; }
};
__global__ void befriended(Counter *c) { c->value_ += 1; }
template <typename T> __global__ void befriended_template(T *c) { c->value_ += 2; }

template <int N> __global__ void add(int *p) { *p += N; }
template <typename T> __global__ void increment(T *p) { *p += 1; }
template <> __global__ void increment<double>(double *p) { *p += 10; }
extern template __global__ void increment<float>(float *);
template __global__ void increment<float>(float *);
__global__ void overloaded(int *p) { *p += 1; }
__global__ void overloaded(int *p, int x) { *p += x; }
template <typename... A> __global__ void sum(int *p, A... a) { *p += (a + ... + 0); }
template <int... N> __global__ void sum_of(int *p) { *p += (N + ...); }
__global__ void with_default(int *p, int x = 3, float y = 2.5f) { *p += x + static_cast<int>(2 * y); }

using Kernel = void (*)(int *);
template <Kernel K> void launch(int *p) { K<<<1, 1>>>(p); }
template <auto K, typename... A> void launch_any(A... a) { K<<<1, 1>>>(a...); }
Kernel table[] = {add<1>, &add<2>, increment<int>};
constexpr Kernel kOne = add<1>;
struct Holder {
  Kernel kernel;
  template <typename... A> void operator()(A... a) const { kernel<<<1, 1>>>(a...); }
};
constexpr Holder kHolder{add<5>};
struct Static {
  template <typename T> static __device__ void run(T *p) { *p += 1; }
};
template <typename Operation, typename... A> __global__ void run(A... a) { Operation::run(a...); }
template <typename T> struct Wrapper {
  template <int N> static void go(T *p) { add<N><<<1, 1>>>(p); }
  template <typename U> void member(U *p) { increment<U><<<1, 1>>>(p), add<(3 > 2)><<<1, 1>>>(p); }
};
template <template <typename> class W, typename T> void through(T *p) {
  W<T>::template go<3>(p);
  W<T> w;
  w.template member<T>(p);
}

void test_values(int *p) {
  *p = 0;
  launch<add<1>>(p);
  launch_any<&add<2>>(p);
  launch_any<increment<int>>(p);
  for (Kernel kernel : table) kernel<<<1, 1>>>(p);
  kOne<<<1, 1>>>(p);
  (*table[0])<<<1, 1>>>(p);
  (true ? table[1] : table[0])<<<1, 1>>>(p);
  kHolder(p);
  auto &reference = add<7>;
  reference<<<1, 1>>>(p);
  run<Static><<<1, 1>>>(p);
  through<Wrapper>(p);
  overloaded<<<1, 1>>>(p);
  overloaded<<<1, 1>>>(p, 2);
  static_cast<void (*)(int *, int)>(overloaded)<<<1, 1>>>(p, 3);
  sum<<<1, 1>>>(p, 1, 2u, 'a', 3l);
  sum_of<1, 2, 3><<<1, 1>>>(p);
  with_default<<<1, 1>>>(p);
  with_default<<<1, 1>>>(p, 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*p, (1 + 2 + 1) + (1 + 2 + 1) + 1 + 1 + 2 + 5 + 7 + 1 + (3 + 1 + 1) + 1 + 2 + 3 + (6 + 'a') + 6 + 8 + 6);
  Counter *c;
  CHECK_CUDA(cudaMallocManaged(&c, sizeof *c));
  *c = Counter();
  befriended<<<1, 1>>>(c);
  befriended_template<<<1, 1>>>(c);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(c->value(), 3);
}

// --- launches
#define LAUNCH(kernel, ...) kernel<<<2, 4>>>(__VA_ARGS__)
#define SHAPE <<<dim3(1, 2), 4>>>
#define OPEN <<<
#define CLOSE >>>
__global__ void count(int *p) { atomicAdd(p, 1); }
struct Shape {
  operator dim3() const { return dim3(3); }
};
struct Stream {
  operator cudaStream_t() const { return nullptr; }
};
int two() { return 2; }

void test_launches(int *p) {
  *p = 0;
  LAUNCH(count, p);
  count SHAPE(p);
  count OPEN 1, 1 CLOSE(p);
  count<<<dim3(2), dim3(2, 2)>>>(p);
  count<<<1, {2, 2, 1}>>>(p);
  count<<<{1}, {1}>>>(p);
  uint3 u{1, 2, 1};
  count<<<u, 1>>>(p);
  count<<<(1, 2), (3, 4)>>>(p);
  count<<<1u, 2ul>>>(p);
  count<<<'\1', true>>>(p);
  count<<<1, 1, 0, nullptr>>>(p);
  count<<<1, 1, sizeof(int) * 4, cudaStreamLegacy>>>(p);
  count<<<1, 1, 0, cudaStream_t{}>>>(p);
  count<<<Shape{}, Shape()>>>(p);
  count<<<1, 1, 0, Stream{}>>>(p);
  count<<<two(), two() * 2>>>(p);
  int n = 5;
  count<<<(n + 3) / 4, n > 3 ? 4 : 2>>>(p);
  count<<<n >> 1, 1 << 1>>>(p);
  if (n) count<<<1, 1>>>(p);
  else count<<<1, 2>>>(p);
  n ? count<<<1, 1>>>(p) : count<<<1, 2>>>(p);
  count<<<1, 1>>>(p), count<<<1, 1>>>(p);
  do count<<<1, 1>>>(p);
  while (0);
  auto lambda = [&] { count<<<1, 1>>>(p); };
  lambda();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*p, 8 + 8 + 1 + 8 + 4 + 1 + 2 + 8 + 2 + 1 + 1 + 1 + 1 + 9 + 1 + 8 + 8 + 4 + 1 + 1 + 2 + 1 + 1);
}

int main() {
  int *p;
  CHECK_CUDA(cudaMallocManaged(&p, sizeof *p));
  test_attributes(p);
  test_values(p);
  test_launches(p);
  return check_report();
}
