// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/respelling.h"

#include <gtest/gtest.h>

namespace hel::cc {
namespace {

/// The respelt text; "" when nothing changes.
std::string respelt(const char *text) { return respell(text).value_or(""); }

TEST(Respelling, ALaunchWithBlanksInItsBrackets) {
  EXPECT_EQ(respelt("k << <1, 2 >> > (x);"), "k <<< 1, 2 >>>  (x);");
  EXPECT_EQ(respelt("k<< <1, 2>> >(x);"), "k<<< 1, 2>>> (x);");
  EXPECT_EQ(respelt("k <<<f(a > b), 2>> > (x);"), "k <<<f(a > b), 2>>>  (x);");
  EXPECT_EQ(respelt("k<int> < < <1, 2> > >(x);"), "k<int> <<<  1, 2>>>  (x);");
}

TEST(Respelling, ABracedListIsAShape) {
  EXPECT_EQ(respelt("k<<<g, {16, 16}>>>(x);"), "k<<<g, dim3{16, 16}>>>(x);");
  EXPECT_EQ(respelt("k<<<{2},{4,f({1})}, {}>>>(x);"), "k<<<dim3{2},dim3{4,f({1})}, {}>>>(x);");
}

TEST(Respelling, OtherBracketsStay) {
  EXPECT_EQ(respelt("k<<<1, 2>>>(x);"), "");
  EXPECT_EQ(respelt("std::ostream &operator<< <int>(std::ostream &, A<B<int>> >(x));"), "");
  EXPECT_EQ(respelt("A<B<C<int> > > x; y << z >> w;"), "");
  EXPECT_EQ(respelt("k << <1; a >> > (x);"), "");
  EXPECT_EQ(respelt("// k << <1>> > (x)\n"), "");
  EXPECT_EQ(respelt("s = \"k << <1>> > (x)\"; /* k << <1>> > (x) */"), "");
  EXPECT_EQ(respelt("s = R\"a(k << <1>> > (x) \")a\";"), "");
}

TEST(Respelling, ALiteralGluedToAnAttribute) {
  EXPECT_EQ(respelt("extern \"C\"__global__ void f();"), "extern\"C\" __global__ void f();");
  EXPECT_EQ(respelt("extern \"C\" __global__ void f();"), "");
  EXPECT_EQ(respelt("x = \"C\"_suffix;"), "");
}

}  // namespace
}  // namespace hel::cc
