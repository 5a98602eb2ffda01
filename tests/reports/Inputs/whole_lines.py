# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every line of 20,000 threads is there once and whole, and the long line behind them."""
import sys

seen = open(sys.argv[1]).read().split("\n")
colors = ["red", "green", "blue"]
expected = [f"thread {i} of many is {colors[i % 3]}." for i in range(20_000)]
rest = [" ".join(map(str, range(1, 32))) + " end", "passed", ""]
if sorted(seen[:20_000]) != sorted(expected) or seen[20_000:] != rest:
    missing = set(expected) - set(seen)
    sys.exit(f"{len(seen)} lines, {len(missing)} missing, such as {sorted(missing)[:3]}; behind them {seen[20_000:][:5]}")
