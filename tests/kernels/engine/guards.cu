// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards that all lanes of a warp pass, that none passes, and that part the warp; what comes after each.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <vector>

constexpr int kSize = 1000;

__global__ void plain(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] + 1;
  }
}

__global__ void leaves_early(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = in[i];
  if (v % 3 == 0) {
    v += 100;
  }
  out[i] = v;
}

__global__ void wide_index(size_t n, const int *in, int *out) {
  size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] - 1;
  }
}

__global__ void strided(int n, const int *in, int *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = in[i];
    if (v & 1) {
      v = in[v % n] + 7;
    }
    if (v % 5 == 4) continue;
    out[i] = v;
  }
}

__global__ void downwards(int n, const int *in, int *out) {
  for (int i = n - 1 - static_cast<int>(threadIdx.x); i >= 0; i -= blockDim.x) {
    out[n - 1 - i] = in[i];
  }
}

// What the loops leave is used after them, by lanes that have left in different rounds.
__global__ void sums(int n, const int *in, int *out) {
  int sum = 0, rounds = 0, i = threadIdx.x;
  for (; i < n; i += blockDim.x) {
    sum += in[i];
    rounds++;
    if (sum > 40000) break;
  }
  out[3 * threadIdx.x] = sum;
  out[3 * threadIdx.x + 1] = rounds;
  out[3 * threadIdx.x + 2] = i;
}

__global__ void nested(int n, int m, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = -1;
  if (i < n) {
    v = in[i];
    if (i > m) {
      v = v * 2 + in[i - m];
    } else if (v & 2) {
      v = in[m - i] - v;
    }
    v += i;
  }
  out[i] = v;
}

__global__ void inner(int w, int h, const int *in, int *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x];
  }
}

__global__ void outside(int w, int h, int *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  out[y * w + x] = 1000 * y + x;
}

__global__ void meets_after(int n, const int *in, int *out) {
  __shared__ int tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : -1;
  __syncthreads();
  int other = tile[blockDim.x - 1 - threadIdx.x];
  if (i < n) {
    out[i] = other;
  }
}

__global__ void shuffles(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
  if (i < n) {
    v = in[i];
  }
  v += __shfl_xor_sync(~0u, v, 1);
  if (i < n) {
    out[i] = v;
  }
}

int value(int i) { return i * 37 % 211; }

std::vector<int> run_sums(int n, const int *in, int threads) {
  std::vector<int> expected;
  for (int t = 0; t < threads; t++) {
    int sum = 0, rounds = 0, i = t;
    for (; i < n; i += threads) {
      sum += in[i];
      rounds++;
      if (sum > 40000) break;
    }
    expected.insert(expected.end(), {sum, rounds, i});
  }
  return expected;
}

int main() {
  int *memory, *results;
  constexpr int kRoom = 4096;
  CHECK_CUDA(cudaMallocManaged(&memory, kRoom * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&results, kRoom * sizeof(int)));
  for (int shift : {0, 1, 5, 16}) {
    int *in = memory + shift, *out = results + 3 * shift;
    for (int i = 0; i < kSize + 512; i++) {
      in[i] = value(i);
    }
    auto check = [&](const char *what, int count, auto launch, auto expected) {
      CHECK_CUDA(cudaMemset(results, 0xff, kRoom * sizeof(int)));
      launch();
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int i = -1; i <= count; i++) {
        if (3 * shift + i >= 0) {
          CHECK_EQ(out[i], i < 0 || i == count ? -1 : expected(i));
        }
      }
      (void)what;
    };
    for (int n : {0, 1, 31, 32, 33, 64, 255, 256, 257, 511, 1000}) {
      for (int threads : {32, 96, 256}) {
        int blocks = (n + threads - 1) / threads + 1;
        check("plain", n, [&] { plain<<<blocks, threads>>>(n, in, out); }, [&](int i) { return in[i] + 1; });
        check("leaves_early", n, [&] { leaves_early<<<blocks, threads>>>(n, in, out); },
              [&](int i) { return in[i] % 3 == 0 ? in[i] + 100 : in[i]; });
        check("wide_index", n, [&] { wide_index<<<blocks, threads>>>(n, in, out); }, [&](int i) { return in[i] - 1; });
        check("strided", n, [&] { strided<<<2, threads>>>(n, in, out); },
              [&](int i) {
                int v = in[i] & 1 ? in[in[i] % n] + 7 : in[i];
                return v % 5 == 4 ? -1 : v;
              });
        check("downwards", n, [&] { downwards<<<1, threads>>>(n, in, out); }, [&](int i) { return in[n - 1 - i]; });
        check("nested", blocks * threads, [&] { nested<<<blocks, threads>>>(n, n / 2, in, out); },
              [&](int i) {
                int m = n / 2, v = in[i];
                return i >= n ? -1 : (i > m ? v * 2 + in[i - m] : (v & 2) ? in[m - i] - v : v) + i;
              });
        check("meets_after", n, [&] { meets_after<<<blocks, threads>>>(n, in, out); },
              [&](int i) {
                int from = i / threads * threads + threads - 1 - i % threads;
                return from < n ? in[from] : -1;
              });
        check("shuffles", n, [&] { shuffles<<<blocks, threads>>>(n, in, out); },
              [&](int i) { return in[i] + ((i ^ 1) < n ? in[i ^ 1] : 0); });
        std::vector<int> expected = run_sums(n, in, threads);
        check("sums", 3 * threads, [&] { sums<<<1, threads>>>(n, in, out); }, [&](int i) { return expected[i]; });
      }
      // In and out may be the same, or overlap where each lane writes what only it has read.
      std::vector<int> before(in, in + n);
      plain<<<(n + 63) / 64 + 1, 64>>>(n, in, in);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int i = 0; i < n; i++) {
        CHECK_EQ(in[i], before[i] + 1);
        in[i] = before[i];
      }
    }
    for (dim3 block : {dim3(32, 4), dim3(64, 2), dim3(16, 4), dim3(8, 8), dim3(10, 3)}) {
      for (int w : {3, 30, 40}) {
        int h = 20;
        dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
        check("inner", w * h, [&] { inner<<<grid, block>>>(w, h, in, out); },
              [&](int i) {
                int x = i % w, y = i / w;
                bool inside = x > 0 && x < w - 1 && y > 0 && y < h - 1;
                return inside ? in[i - 1] + in[i + 1] + in[i - w] + in[i + w] : -1;
              });
        check("outside", w * h, [&] { outside<<<grid, block>>>(w, h, out); },
              [&](int i) { return 1000 * (i / w) + i % w; });
      }
    }
  }
  return check_report();
}
