// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's view of the engine agrees with abi/engine.h.
#include "compiler/ir/simt_ops.h"

#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace {

std::string engine_header() {
  std::ifstream file(HELICON_SOURCE_DIR "/abi/engine.h");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(SimtOps, EveryEngineFunctionIsKnown) {
  std::string text = engine_header();
  std::regex declaration("(__hl_[a-z0-9_]+)\\(");
  int count = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), declaration), end; i != end; ++i, ++count) {
    std::string name = (*i)[1];
    EXPECT_TRUE(hel::cc::is_engine_function(name)) << name;
  }
  EXPECT_GT(count, 20);
}

TEST(SimtOps, OtherNamesAreNot) {
  EXPECT_FALSE(hel::cc::is_engine_function("__hl_something_else"));
  EXPECT_FALSE(hel::cc::is_meeting_point("__hl_malloc"));
  EXPECT_TRUE(hel::cc::is_meeting_point("__hl_yield"));
}

}  // namespace
