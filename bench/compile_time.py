# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what a kernel adds to the compiler's own time, over the kernels of bench/rows, and prints and appends the row.

compile_time.py MCC RESULTS

The figure is processor time (other load on the machine does not count), device code alone (-fatbin), less that of a file
without kernels, which is compiled in turn with each of them (the machine's speed may change); the median over the files of
the time for each kernel.
"""

import json
import os
import pathlib
import re
import statistics
import sys
import tempfile

MUST, STRETCH = 150, 90
RUNS = 3


def processor_ms(command):
    pid = os.spawnvp(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"bench: {' '.join(command)} failed")
    return (usage.ru_utime + usage.ru_stime) * 1000


def compile_ms(mcc, source, out):
    root = pathlib.Path(__file__).resolve().parents[1]
    command = [mcc, "-std=c++20", f"-I{root}", "-fatbin", str(source), "-o", out]
    return processor_ms(command)


def main():
    mcc, results = sys.argv[1], pathlib.Path(sys.argv[2])
    per_kernel = []
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.fatbin")
        nothing = pathlib.Path(folder, "nothing.cu")
        nothing.write_text('#include "bench/harness/cuda_check.h"\n#include "bench/harness/row.h"\n')
        for source in sorted(pathlib.Path(__file__).parent.glob("rows/*/*.cu")):
            kernels = len(re.findall(r"__global__", source.read_text()))
            if kernels:
                added = statistics.median(compile_ms(mcc, source, out) - compile_ms(mcc, nothing, out) for _ in range(RUNS))
                per_kernel.append(added / kernels)
    low, median, high = statistics.quantiles(per_kernel, n=4)
    verdict = "stretch met" if median <= STRETCH else "must met" if median <= MUST else "missed"
    print(f"{'compile_per_kernel':20} {median:6.0f} ms [{low:7.0f}, {high:7.0f}] {'':8}   {MUST:6.0f} / {STRETCH:<6.0f} {verdict}")
    row = {"row": "compile_per_kernel", "unit": "ms", "low": low, "median": median, "high": high, "must": MUST,
           "stretch": STRETCH, "verdict": verdict, "kernel": 0, "limit": 0, "opencl": 0}
    with results.open("a") as file:
        file.write(json.dumps(row) + "\n")


main()
