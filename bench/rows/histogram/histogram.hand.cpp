// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight tables a thread, one for each byte of a word, so that equal neighbours do not wait for each other.
#include <cstring>

#include "bench/harness/row.h"

namespace hel::bench {
namespace {

void run(const Problem &problem, const Memory &memory) {
  const int n = problem.sizes[0];
  const auto *bytes = memory.in<unsigned char>(0);
  auto *out = memory.out<uint32_t>();
  memset(out, 0, 256 * sizeof(uint32_t));
#pragma omp parallel
  {
    uint32_t tables[8][256] = {};
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i += 16) {
      uint64_t words[2];
      memcpy(words, bytes + i, sizeof words);
#pragma unroll
      for (int b = 0; b < 8; b++) {
        tables[b][words[0] >> (8 * b) & 0xff]++;
        tables[b][words[1] >> (8 * b) & 0xff]++;
      }
    }
#pragma omp critical
    for (int bin = 0; bin < 256; bin++) {
      for (const auto &table : tables) {
        out[bin] += table[bin];
      }
    }
  }
}

const Side side("histogram", Who::Hand, run);

}  // namespace
}  // namespace hel::bench
