// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// histogram: of bytes into 256 bins; each block counts in shared memory, then adds to the result.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int words = tiny ? 4096 : 1 << 22;
  // The product of two numbers: small bytes are frequent, as in a picture.
  Words bytes = random_integers(static_cast<size_t>(words), 0xffffffff, 1);
  const Words other = random_integers(static_cast<size_t>(words), 0xffffffff, 2);
  for (size_t i = 0; i < bytes.size(); i++) {
    uint32_t mixed = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      mixed |= ((bytes[i] >> shift & 0xff) * (other[i] >> shift & 0xff) >> 8) << shift;
    }
    bytes[i] = mixed;
  }
  return {.sizes = {4 * words}, .inputs = {bytes}, .output = Words(256), .bytes = 4.0 * words};
}

const Row row({.name = "histogram", .must = 2.5, .stretch = 1.3, .output = Element::Int, .problem = problem});

}  // namespace
}  // namespace hel::bench
