// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of kernels are copied byte by byte: copy constructors run on the host only, and every thread sees one object.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-5.3.10.5-04 C-5.3.10.6-02 C-5.3.11-04 C-5.3.11-05
#include "check.h"

#include <cuda_runtime.h>

#include <initializer_list>
#include <utility>

__device__ int device_copies, device_ends;
int host_copies, host_ends;

struct Counted {
  int value;
  const Counted *self;
  __host__ __device__ explicit Counted(int v) : value(v), self(this) {}
  __host__ __device__ Counted(const Counted &other) : value(other.value + 1000), self(this) {
#ifdef __CUDA_ARCH__
    atomicAdd(&device_copies, 1);
#else
    ++host_copies;
#endif
  }
  __host__ __device__ ~Counted() {
#ifdef __CUDA_ARCH__
    atomicAdd(&device_ends, 1);
#else
    ++host_ends;
#endif
  }
};

struct Seen {
  int value, is_same, copies, ends;
};
__global__ void look(Counted c, Seen *seen) {
  if (threadIdx.x == 0) {
    *seen = Seen{c.value, c.self == &c, 0, 0};
  }
}
__global__ void count(Seen *seen) {
  seen->copies = device_copies;
  seen->ends = device_ends;
}

// Defaulted and implicit members have the execution spaces that their use asks for; an annotation on one that is defaulted says nothing.
struct Part {
  int value = 5;
  __device__ int twice() const { return 2 * value; }
};
struct Whole {
  Part part;
  __device__ Whole() = default;
  __host__ __device__ Whole(const Whole &) = default;
};
struct Shape {
  __device__ virtual int corners() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int *log;
  __device__ explicit Square(int *l) : log(l) {}
  __device__ int corners() const override { return 4; }
  __device__ ~Square() override { *log += 1; }
};

__device__ int largest(std::initializer_list<int> list) {
  int most = *list.begin();
  for (int x : list) {
    most = x > most ? x : most;
  }
  return most + static_cast<int>(list.size());
}
template <typename F, typename T> __device__ int call(F f, T &&t) { return f(std::forward<T>(t)); }

__global__ void members(int *out) {
  Whole whole, copy(whole);
  out[0] = copy.part.twice();
  out[4] = 0;
  Shape *shape = new Square(out + 4);
  out[1] = shape->corners();
  delete shape;
  out[2] = largest({3, 9, 4});
  int x = 6;
  out[3] = call([](int &&v) { return v * 2; }, std::move(x));
}

int main() {
  Seen *seen;
  CHECK_CUDA(cudaMallocManaged(&seen, sizeof(Seen)));
  {
    Counted counted(7);
    look<<<1, 64>>>(counted, seen);
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  CHECK_EQ(seen->is_same, 0);
  CHECK(host_copies >= 1);
  CHECK_EQ(seen->value, 7 + 1000 * host_copies);
  CHECK_EQ(host_ends, 1 + host_copies);
  count<<<1, 1>>>(seen);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(seen->copies, 0);

  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 64));
  members<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int expected[] = {10, 4, 12, 12, 1};
  for (int i = 0; i < 5; ++i) {
    CHECK_EQ(out[i], expected[i]);
  }
  return check_report();
}
