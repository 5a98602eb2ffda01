// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compare mode's reading of memory: types, tolerances, the first difference.
#include "loader/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace hel::loader {
namespace {

template <typename T> Difference compare(const std::vector<T> &gpu, const std::vector<T> &cpu, Tolerance tolerance = {}) {
  return compare_memory(gpu.data(), cpu.data(), gpu.size() * sizeof(T), tolerance);
}

TEST(Difference, EqualMemoryHasNone) {
  EXPECT_EQ(compare<float>({1, 2, NAN}, {1, 2, NAN}).elements, 0u);
  EXPECT_EQ(compare<char>({}, {}).elements, 0u);
}

TEST(Difference, FloatsCountInUnitsInTheLastPlace) {
  std::vector<float> gpu(3000, 1.0f), cpu(3000, 1.0f);
  cpu[2000] = std::nextafter(1.0f, 2.0f);
  cpu[2500] = std::nextafter(std::nextafter(1.0f, 2.0f), 2.0f);
  Difference d = compare(gpu, cpu);
  EXPECT_EQ(d.elements, 2u);
  EXPECT_EQ(d.first, 8000u);
  EXPECT_EQ(d.worst_ulp, 2);
  EXPECT_EQ(d.text, "float GPU 1, CPU 1.00000012 (1 ulp)");
  EXPECT_EQ(compare(gpu, cpu, {.ulp = 1}).elements, 1u);
  EXPECT_EQ(compare(gpu, cpu, {.ulp = 2}).elements, 0u);
  EXPECT_EQ(compare(gpu, cpu, {.abs = 1e-6}).elements, 0u);
  EXPECT_EQ(compare<float>({-0.0f}, {0.0f}).elements, 0u) << "zeros are one number";
}

TEST(Difference, DoublesAreRecognised) {
  Difference d = compare<double>({1.0 / 3}, {std::nextafter(1.0 / 3, 1.0)});
  EXPECT_EQ(d.elements, 1u);
  EXPECT_EQ(d.worst_ulp, 1);
  EXPECT_EQ(d.text.substr(0, 6), "double");
}

TEST(Difference, NumbersThatAreNoFloatsAreIntegers) {
  Difference d = compare<int32_t>({7, 8}, {7, 9}, {.ulp = 100, .abs = 100});
  EXPECT_EQ(d.elements, 1u) << "no tolerance for integers";
  EXPECT_EQ(d.first, 4u);
  EXPECT_EQ(d.text, "int GPU 8 (0x00000008), CPU 9 (0x00000009)");
}

TEST(Difference, OddBytesAtTheEndCount) {
  Difference d = compare<char>({0, 0, 0, 0, 1}, {0, 0, 0, 0, 2});
  EXPECT_EQ(d.elements, 1u);
  EXPECT_EQ(d.text, "byte GPU 0x01, CPU 0x02");
}

TEST(Difference, NotANumberDiffersFromNumbers) { EXPECT_EQ(compare<float>({NAN}, {1}, {.ulp = 1e9}).elements, 1u); }

TEST(Tolerance, IsRead) {
  Tolerance tolerance;
  EXPECT_TRUE(Tolerance::parse("1", &tolerance));
  EXPECT_EQ(tolerance.ulp, 0);
  EXPECT_TRUE(Tolerance::parse("ulp=4,abs=1e-6", &tolerance));
  EXPECT_EQ(tolerance.ulp, 4);
  EXPECT_EQ(tolerance.abs, 1e-6);
  EXPECT_FALSE(Tolerance::parse("ulp", &tolerance));
  EXPECT_FALSE(Tolerance::parse("ulp=x", &tolerance));
  EXPECT_FALSE(Tolerance::parse("rel=1", &tolerance));
}

}  // namespace
}  // namespace hel::loader
