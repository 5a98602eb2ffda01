// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine can do at best, measured in the same run as the rows.
#pragma once

namespace hel::bench {

struct Limits {
  double bytes_per_second;  ///< STREAM triad with stores past the caches
  double flops_per_second;  ///< independent fused multiply-adds in registers
};

Limits measure_limits(bool tiny);

}  // namespace hel::bench
