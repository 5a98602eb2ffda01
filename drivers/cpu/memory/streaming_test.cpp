// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/streaming.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/cache_size.h"

namespace hel::cpu {
namespace {

TEST(Streaming, CopiesExactlyWhatIsAsked) {
  std::vector<uint8_t> source(1024);
  std::iota(source.begin(), source.end(), uint8_t{1});
  for (size_t shift : {0u, 1u, 17u, 63u}) {
    for (size_t bytes : {0u, 1u, 15u, 63u, 64u, 65u, 200u, 700u}) {
      std::vector<uint8_t> target(1024, 0xee);
      stream_copy(target.data() + shift, source.data() + 3, bytes);
      for (size_t i = 0; i < target.size(); i++) {
        const bool inside = i >= shift && i < shift + bytes;
        ASSERT_EQ(target[i], inside ? source[i - shift + 3] : 0xee) << shift << " " << bytes << " " << i;
      }
    }
  }
}

TEST(Streaming, TheLastCacheHasAUsualSize) {
  EXPECT_GE(last_cache_bytes(), size_t{1} << 18);
  EXPECT_LE(last_cache_bytes(), size_t{1} << 32);
}

}  // namespace
}  // namespace hel::cpu
