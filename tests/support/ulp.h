// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the error of device math functions in units in the last place. A test names functions with their references;
// bounds and domains are read from a table. Results are printed one a line: name, precision, largest error, bound, where.
//   program bounds.tsv              special values, a sample of all bit patterns, points of the domain
//   program bounds.tsv --all NAME   every one of the 2^32 arguments of a float function of one argument
//   program bounds.tsv --list       the functions that the program measures
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "check.h"

namespace ulp {

using Long = long double;

struct Bound {
  double single = -1, precise = -1, low = -INFINITY, high = INFINITY;
};
struct Request {
  std::string table, only;
  bool all = false, list = false;
};
inline Request &request() {
  static Request of_program;
  return of_program;
}

/// The row of a function. A function without a row fails the test.
inline Bound bound_of(const char *name) {
  std::ifstream file(request().table);
  std::string line, word;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Bound bound;
    if (words >> word && word == name && words >> bound.single >> bound.precise) {
      std::string low, high;
      if (words >> low >> high) bound.low = strtod(low.c_str(), nullptr), bound.high = strtod(high.c_str(), nullptr);
      return bound;
    }
  }
  fprintf(stderr, "no bound for %s in %s\n", name, request().table.c_str());
  CHECK(false);
  return {};
}

__host__ __device__ inline unsigned long long mix(unsigned long long i) {
  i += 0x9e3779b97f4a7c15ull;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
  i = (i ^ i >> 27) * 0x94d049bb133111ebull;
  return i ^ i >> 31;
}

template <typename F> struct Bits;
template <> struct Bits<float> { using Type = int32_t; };
template <> struct Bits<double> { using Type = int64_t; };

template <typename F> F from_bits(unsigned long long bits) {
  F value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// How many numbers lie from `got` to `want`; a NaN for a number, or a zero of the wrong sign, is beyond every bound.
template <typename F> double distance(F got, F want) {
  if (got != got || want != want) return got != got && want != want ? 0 : 1e30;
  if (got == 0 && want == 0) return std::signbit(got) == std::signbit(want) ? 0 : 1e30;
  using Int = typename Bits<F>::Type;
  Int a, b, least = std::numeric_limits<Int>::min();
  memcpy(&a, &got, sizeof(F));
  memcpy(&b, &want, sizeof(F));
  a = a < 0 ? least - a : a;
  b = b < 0 ? least - b : b;
  __int128 d = static_cast<__int128>(a) - b;
  return static_cast<double>(d < 0 ? -d : d);
}

/// Point i of a sample: special values, then in turn any bit pattern, near 1, within 1, 40 and 800, and of the domain.
template <typename F> F point(int i, const Bound &bound) {
  static const double special[] = {0., -0., 1, -1, 2, -2, .5, -.5, 3, -3, INFINITY, -INFINITY, NAN, 1e-45, -1e-45, 5e-324,
                                   0x1p-126, -0x1p-126, 0x1p-1022, 3.4028234663852886e38, -3.4028234663852886e38, 88.8,
                                   89, -104, 709.8, -745.2, 16, 1e22, 0x1p24, 0x1p53, 1.5, 2.5,
                                   0x1.62e668p-2 /* beside log(2) / 2, where e^x - 1 is a difference */};
  constexpr int kSpecial = sizeof special / sizeof *special;
  if (i < kSpecial) return static_cast<F>(special[i]);
  unsigned long long r = mix(i);
  double u = static_cast<double>(static_cast<int64_t>(mix(r))) * 0x1p-63;  // of (-1, 1)
  switch (i % 6) {
    case 0: return from_bits<F>(r);
    case 1: return static_cast<F>(1 + u * 0.5);
    case 2: return static_cast<F>(u);
    case 3: return static_cast<F>(u * 40);
    case 4: return static_cast<F>(u * 800);
    default: {
      double low = std::max(bound.low, -1e30), high = std::min(bound.high, 1e30);
      return static_cast<F>(low + (high - low) * (u + 1) / 2);
    }
  }
}

template <typename Function, typename F> __global__ void run(Function f, const F *x, const F *y, F *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(x[i], y[i]);
}

template <typename F> struct Worst {
  double distance = 0;
  F x = 0, y = 0, got = 0, want = 0;
  void add(F at_x, F at_y, F value, F exact) {
    double d = ulp::distance(value, exact);
    if (d > distance) *this = {d, at_x, at_y, value, exact};
  }
};

template <typename F> void report(const char *name, bool has_two_arguments, const Worst<F> &worst, double bound, size_t points) {
  printf("%s\t%s\t%g\t%g\t%zu\t%a", name, sizeof(F) == 4 ? "single" : "double", worst.distance, bound, points,
         static_cast<double>(worst.x));
  printf(has_two_arguments ? ", %a\n" : "\n", static_cast<double>(worst.y));
  if (!(worst.distance <= bound)) {
    fprintf(stderr, "%s (%zu bytes): %g ulp at (%a, %a): %a instead of %a, allowed %g\n", name, sizeof(F), worst.distance,
            (double)worst.x, (double)worst.y, (double)worst.got, (double)worst.want, bound);
    CHECK(worst.distance <= bound);
  }
}

/// Managed memory for one run of a kernel.
template <typename F> struct Arrays {
  F *x, *y, *out;
  explicit Arrays(int n) {
    for (F **p : {&x, &y, &out}) CHECK_CUDA(cudaMallocManaged(p, n * sizeof(F)));
  }
  ~Arrays() {
    for (F *p : {x, y, out}) CHECK_CUDA(cudaFree(p));
  }
};

template <typename F, typename Function, typename Reference>
void measure_sample(const char *name, bool has_two_arguments, Function f, Reference reference, const Bound &bound, double allowed) {
  constexpr int kN = 12000;
  Arrays<F> at(kN);
  int n = 0;
  for (int i = 0; i < kN; ++i) {
    F x = point<F>(i, bound), y = point<F>(static_cast<int>(mix(i) >> 40), bound);
    if (x != x || (x >= static_cast<F>(bound.low) && x <= static_cast<F>(bound.high))) {
      at.x[n] = x;
      at.y[n++] = y;
    }
  }
  run<<<(n + 127) / 128, 128>>>(f, at.x, at.y, at.out, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  Worst<F> worst;
  for (int i = 0; i < n; ++i) {
    worst.add(at.x[i], at.y[i], at.out[i], static_cast<F>(reference(static_cast<Long>(at.x[i]), static_cast<Long>(at.y[i]))));
  }
  report(name, has_two_arguments, worst, allowed, n);
}

/// All floats, the reference in double precision and on all processors.
template <typename Function, typename Reference>
void measure_all(const char *name, Function f, Reference reference, const Bound &bound, double allowed) {
  constexpr int kN = 1 << 22;
  Arrays<float> at(kN);
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst<float>> worst(threads);
  size_t points = 0;
  for (unsigned long long first = 0; first < 1ull << 32; first += kN) {
    int n = 0;
    for (int i = 0; i < kN; ++i) {
      float x = from_bits<float>(first + i);
      if (x != x || (x >= bound.low && x <= bound.high)) at.x[n++] = x;
    }
    run<<<(n + 255) / 256, 256>>>(f, at.x, at.x, at.out, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    std::vector<std::thread> team;
    for (unsigned t = 0; t < threads; ++t) {
      team.emplace_back([&, t] {
        for (int i = t; i < n; i += threads) {
          double x = at.x[i];
          worst[t].add(at.x[i], at.x[i], at.out[i], static_cast<float>(reference(x, x)));
        }
      });
    }
    for (std::thread &member : team) member.join();
    points += n;
  }
  for (const Worst<float> &other : worst) worst[0].add(other.x, other.y, other.got, other.want);
  report(name, false, worst[0], allowed, points);
}

template <typename Function, typename Reference>
void measure(const char *name, bool has_two_arguments, Function f, Reference reference) {
  if (request().list) {
    printf("%s\n", name);
    return;
  }
  if (!request().only.empty() && request().only != name) return;
  Bound bound = bound_of(name);
  if (request().all && !has_two_arguments) return measure_all(name, f, reference, bound, bound.single);
  measure_sample<float>(name, has_two_arguments, f, reference, bound, bound.single);
  measure_sample<double>(name, has_two_arguments, f, reference, bound, bound.precise);
}

/// The rows of the program, in the order of the source.
inline std::vector<void (*)()> &rows() {
  static std::vector<void (*)()> of_program;
  return of_program;
}
struct Row {
  explicit Row(void (*measure)()) { rows().push_back(measure); }
};

inline int start(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--all") request().all = true;
    else if (word == "--list") request().list = true;
    else (request().table.empty() ? request().table : request().only) = word;
  }
  for (void (*measure)() : rows()) measure();
  return request().list ? 0 : check_report();
}

}  // namespace ulp

/// A row: the function's name (its float form has an f behind), and an expression of x and y that gives the exact value.
#define ULP_ONE(fn, exact) ULP_ROW(fn, false, fn(x), fn##f(x), exact)
#define ULP_TWO(fn, exact) ULP_ROW(fn, true, fn(x, y), fn##f(x, y), exact)
#define ULP_ROW(fn, two, in_double, in_float, exact)                                                  \
  struct Call_##fn {                                                                                  \
    __device__ double operator()(double x, [[maybe_unused]] double y) const { return in_double; }     \
    __device__ float operator()(float x, [[maybe_unused]] float y) const { return in_float; }         \
  };                                                                                                  \
  static const ulp::Row row_##fn([] {                                                                 \
    ulp::measure(#fn, two, Call_##fn{}, [](auto x, [[maybe_unused]] auto y) { return exact; });       \
  });
