// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over so many elements in steps of the warp, which a warp leaves lane by lane: every number of elements up to
// some turns, with all comparisons, steps and types of the index, and reads from anywhere of elements of every size.
// What lanes that have no further turn hold is kept. All numbers are small integers: sums are exact in any order.
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

#include <climits>
#include <cstdint>
#include <vector>

constexpr int kElements = 131, kPlaces = 200;

struct Data {
  int index[kElements + 64];
  uint8_t bytes[kPlaces];
  int16_t shorts[kPlaces];
  float floats[kPlaces];
  double doubles[kPlaces];
  int64_t longs[kPlaces];
  uint64_t ends[kElements + 8];
};

// What a lane adds up in a loop, written once for both sides.
template <int Kind> __host__ __device__ double lane_sum(const Data *data, int n, int lane) {
  double sum = lane;
  if constexpr (Kind == 0) {
    for (int i = lane; i < n; i += 32) {
      sum += data->floats[data->index[i]];
    }
  } else if constexpr (Kind == 1) {
    for (unsigned i = lane; i <= unsigned(n < 0 ? 0 : n); i += 32) {
      sum += data->doubles[data->index[i]] * data->bytes[data->index[i]];
    }
  } else if constexpr (Kind == 2) {
    for (int64_t i = 2 * lane; i < n; i += 64) {
      sum += data->shorts[data->index[i]] + data->longs[data->index[i + 1]];
    }
  } else if constexpr (Kind == 3) {  // more than one turn after they part
    for (int i = lane; i < n; i += 8) {
      sum += data->floats[data->index[i]];
    }
  } else if constexpr (Kind == 4) {  // a step beyond the warp, and what is read there depends on what was read
    for (int i = lane; n > i; i += 40) {
      sum = sum / 2 + data->floats[(data->index[i] + data->bytes[data->index[i]]) % kPlaces];
    }
  } else if constexpr (Kind == 5) {  // lanes that part inside
    for (int i = lane; i < n; i += 32) {
      if (data->index[i] % 3 == 0) {
        continue;
      }
      sum += data->doubles[data->index[i]];
    }
  } else if constexpr (Kind == 6) {  // lanes that part before
    if (lane % 5 != 2) {
      for (int i = lane; i < n; i += 32) {
        sum += data->longs[data->index[i]];
      }
    }
  } else if constexpr (Kind == 7) {  // a loop inside
    for (int i = lane; i < n; i += 32) {
      for (int k = 0; k < n % 4; k++) {
        sum += data->floats[data->index[i] / (k + 1)];
      }
    }
  } else if constexpr (Kind == 8) {  // near the end of what the index can hold
    for (int i = INT_MAX - kElements - 40 + lane; i < INT_MAX - kElements - 40 + n; i += 32) {
      sum += data->floats[data->index[i - (INT_MAX - kElements - 40)]];
    }
  } else if constexpr (Kind == 9) {  // the last lanes
    if (lane > n - 70) {
      sum += data->doubles[data->index[lane]] + data->shorts[data->index[lane + 1]];
    }
  } else if constexpr (Kind == 10) {  // in steps of four
    for (int i = 4 * lane; i < n; i += 128) {
      sum += data->floats[data->index[i]] + data->bytes[data->index[i + 3]];
    }
  } else if constexpr (Kind == 11) {  // sums of two types
    float floats = 3;
    int64_t longs = lane;
    for (int i = lane; i < n; i += 32) {
      floats += 2 * data->floats[data->index[i]];
      longs += data->longs[data->index[i]];
    }
    sum = floats + 1000.0 * longs;
  } else if constexpr (Kind == 12) {  // the index is asked for behind the loop
    int i = lane;
    for (; i < n; i += 32) {
      sum += data->floats[data->index[i]];
    }
    sum += 1000.0 * i;
  } else if constexpr (Kind == 13) {  // a number that depends on the turn, and one that comes from the last turn
    int last = -1, turn = 0;
    for (int i = lane; i < n; i += 32) {
      sum += data->longs[data->index[i]] * (turn + 1);
      last = data->bytes[data->index[i]];
      turn++;
    }
    sum += 1000.0 * last;
  } else if constexpr (Kind == 14) {  // an end that stands in memory
    for (size_t i = lane; i < data->ends[n < 0 ? 0 : n]; i += 32) {
      sum += data->doubles[data->index[i]];
    }
  }
  return sum;
}

template <int Kind> __global__ void sums(const Data *data, double *out, int n) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  out[threadIdx.x] = lane_sum<Kind>(data, n + warp - 2, lane);
}

// What the lanes write while others are through is read again.
__global__ void updates(const Data *data, float *out, int n) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = lane; i < n; i += 32) {
    float *mine = out + warp * kElements + data->index[i] % 7 * 0 + i;
    *mine += data->floats[data->index[i]];
    *mine *= data->doubles[data->index[i] / 2];
  }
}

template <int Kind> void compare(const Data &data, const Data *on_device, double *out) {
  for (int n = 0; n <= kElements; n++) {
    sums<Kind><<<1, 160>>>(on_device, out, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    int wrong = 0;
    for (int t = 0; t < 160; t++) {
      wrong += out[t] != lane_sum<Kind>(&data, n + t / 32 - 2, t % 32);
    }
    CHECK_EQ(wrong, 0);
  }
  if constexpr (Kind > 0) {
    compare<Kind - 1>(data, on_device, out);
  }
}

int main() {
  Data data{}, *on_device;
  for (int i = 0; i < kElements + 64; i++) {
    data.index[i] = i * 37 % kPlaces;
  }
  for (int i = 0; i < kPlaces; i++) {
    data.bytes[i] = i;
    data.shorts[i] = 3 * i - 200;
    data.floats[i] = i % 17 - 8;
    data.doubles[i] = i % 13 - 5;
    data.longs[i] = 5 * i - 300;
  }
  for (int n = 0; n < kElements + 8; n++) {
    data.ends[n] = n;
  }
  double *out;
  float *written;
  CHECK_CUDA(cudaMalloc(&on_device, sizeof data));
  CHECK_CUDA(cudaMemcpy(on_device, &data, sizeof data, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMallocManaged(&out, 160 * sizeof(double)));
  compare<14>(data, on_device, out);

  CHECK_CUDA(cudaMallocManaged(&written, 4 * kElements * sizeof(float)));
  for (int n = 0; n <= kElements; n++) {
    for (int i = 0; i < 4 * kElements; i++) {
      written[i] = i % 11;
    }
    updates<<<1, 128>>>(on_device, written, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < 4 * kElements; i++) {
      const int at = i % kElements, from = data.index[at];
      float expected = i % 11;
      if (at < n) {
        expected = (expected + data.floats[from]) * static_cast<float>(data.doubles[from / 2]);
      }
      wrong += written[i] != expected;
    }
    CHECK_EQ(wrong, 0);
  }
  return check_report();
}
