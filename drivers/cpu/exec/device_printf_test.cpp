// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf against the host's, with arguments packed as clang packs them; and its way to stdout.
#include "drivers/cpu/exec/device_printf.h"

#include <gtest/gtest.h>

#include <vector>

#include "drivers/cpu/exec/test_grid.h"

namespace hel::cpu::exec {
namespace {

/// Arguments at their natural alignment.
class Packed {
public:
  template <typename... T> explicit Packed(T... values) : bytes_(512) { (add(values), ...); }
  const void *data() const { return bytes_.data(); }

private:
  template <typename T> void add(T value) {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    memcpy(bytes_.data() + offset_, &value, sizeof(T));
    offset_ += sizeof(T);
  }
  std::vector<uint8_t> bytes_;
  size_t offset_ = 0;
};

template <typename... T> std::string print(int32_t count, const char *format, T... values) {
  std::string out;
  EXPECT_EQ(format_device_printf(out, format, Packed(values...).data()), count) << format;
  return out;
}

/// The same call by the host's printf.
template <typename... T> void expect_same(const char *format, T... values) {
  char expected[2048];
  snprintf(expected, sizeof(expected), format, values...);
  EXPECT_EQ(print(sizeof...(T), format, values...), expected) << format;
}

TEST(DevicePrintf, Integers) {
  expect_same("%d %i %u %o %x %X|", 1, -2, 3000000000u, 8, 255, 255);
  expect_same("%5d|%-5d|%05d|%+d|% d|%#x|%#o|%.3d|%8.3d|", 1, 2, 3, 4, 5, 6, 7, 8, 9);
  expect_same("%lld %ld %llu %lx %zu %jd %td|", -1ll, -2l, 3ull, 4ul, sizeof(int), intmax_t{5}, ptrdiff_t{6});
  expect_same("%hhd %hd %hu|", 300, 70000, 70000);
  expect_same("%*d|%-*d|%.*d|%*d|", 6, 1, 6, 2, 4, 3, -6, 4);
}

TEST(DevicePrintf, FloatingPoint) {
  expect_same("%f %F %e %E %g %G %a %A|", 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5);
  expect_same("%.2f|%10.3f|%-10.1e|%+g|%010.2f|%.0f|%#.0f|", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0);
  expect_same("%f %f %g|", 1.0 / 0.0, -1.0 / 0.0, 1e300);
  expect_same("%f|%300.1f|%.200f|", 1e300, 1.0, 0.1);
  expect_same("%.*f %*.*f|", 3, 3.14159, 9, 2, 2.71828);
}

TEST(DevicePrintf, TextAndPointers) {
  expect_same("%s|%10s|%-10s|%.2s|%*.*s|", "abc", "abc", "abc", "abc", 6, 1, "abc");
  expect_same("%c%c%5c|", int{'a'}, int{'b'}, int{'c'});
  expect_same("%p %p %20p|", static_cast<void *>(nullptr), reinterpret_cast<void *>(0x1234),
              reinterpret_cast<void *>(16));
  EXPECT_EQ(print(1, "%s", static_cast<const char *>(nullptr)), "(null)");
  expect_same("%d %f %c %lld %s %d|", 1, 2.0, int{'c'}, 3ll, "text", 4);  // gaps of alignment
}

TEST(DevicePrintf, ReturnsTheNumberOfArguments) {
  std::string out;
  EXPECT_EQ(format_device_printf(out, nullptr, nullptr), -1);
  EXPECT_EQ(format_device_printf(out, "plain 100%%\n", nullptr), 0);
  EXPECT_EQ(out, "plain 100%\n");
  EXPECT_EQ(print(2, "%*d", 4, 1), "   1");
}

TEST(DevicePrintf, BadFormats) {
  EXPECT_EQ(print(1, "%d %y %", 5), "5 %y %");
  std::string format;
  std::string expected;
  for (int i = 0; i < 33; ++i) {
    format += "%d,";
    expected += i < 32 ? "0," : "%d,";
  }
  std::string out;
  const std::vector<uint8_t> zeros(512);
  EXPECT_EQ(format_device_printf(out, format.c_str(), zeros.data()), 32);
  EXPECT_EQ(out, expected);
}

void print_some(const void *) {
  const struct {
    int thread;
    double half;
    const char *text;
  } arguments{static_cast<int>(__hl_thread->tid.x), __hl_thread->tid.x / 2.0, "x"};
  __hl_vprintf("%d %.1f %s\n", &arguments);
}

TEST(DevicePrintf, IsWrittenWhenTheKernelEnds) {
  testing::internal::CaptureStdout();
  printf("before\n");
  TestGrid grid(print_some, {1, 1, 1}, {3, 1, 1});
  ASSERT_EQ(grid.run(), nullptr);
  printf("after\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before\n0 0.0 x\n1 0.5 x\n2 1.0 x\nafter\n");
}

TEST(DevicePrintf, LosesNothingBeyondTheLimit) {
  testing::internal::CaptureStdout();
  TestGrid grid(print_some, {100, 1, 1}, {10, 1, 1});
  grid.launch.printf_bytes = 64;
  ASSERT_EQ(grid.run(), nullptr);
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1000);
  EXPECT_EQ(out.size(), 8000u);
}

}  // namespace
}  // namespace hel::cpu::exec
