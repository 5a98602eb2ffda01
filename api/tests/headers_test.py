# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The public headers compile without a warning as C and C++ of every age, with both compilers, in every combination.

    headers_test.py --include DIR --work DIR CC…        each CC is a C compiler; its C++ compiler is found by name
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CASES = {"both_c.c": ["c99", "c11", "c17"], "both_cpp.cpp": ["c++11", "c++17", "c++20"], "musa_only.cpp": ["c++17"]}
STREAM_SYMBOLS = """
#include <cuda.h>
#include <cuda_runtime.h>
#include <musa.h>
#include <musa_runtime.h>
void *used[] = {(void *)(cudaError_t (*)(void *, const void *, size_t, cudaMemcpyKind))cudaMemcpy, (void *)cuMemcpyHtoD,
                (void *)musaStreamQuery, (void *)muMemcpyHtoD, (void *)muMemAlloc, (void *)muCtxCreate};
"""
LEGACY = {"cudaMemcpy", "cuMemcpyHtoD_v2", "musaStreamQuery", "muMemcpyHtoD_v2", "muMemAlloc_v2", "muCtxCreate_v2"}
PER_THREAD = {"cudaMemcpy_ptds", "cuMemcpyHtoD_v2_ptds", "musaStreamQuery_ptsz", "muMemcpyHtoD_v2_ptds", "muMemAlloc_v2", "muCtxCreate_v2"}


def compiler_for(cc, suffix):
    return cc if suffix == ".c" else re.sub(r"\bgcc\b", "g++", re.sub(r"\bclang\b", "clang++", cc))


def undefined_symbols(cc, args, defines):
    source = Path(args.work) / "symbols.cpp"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(STREAM_SYMBOLS)
    output = source.with_suffix(".s")
    subprocess.run([compiler_for(cc, ".cpp"), "-S", *defines, f"-I{args.include}", str(source), "-o", str(output)], check=True)
    return set(re.findall(r"\b((?:cuda|musa|cu|mu)[A-Z]\w+)$", output.read_text(), re.M))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--include")
    parser.add_argument("--work")
    parser.add_argument("compilers", nargs="+")
    args = parser.parse_args()
    bad = 0
    headers = sorted(p.relative_to(args.include) for p in Path(args.include).rglob("*.h"))
    for cc in args.compilers:
        for name, standards in CASES.items():
            source = HERE / "headers" / name
            for standard in standards:
                command = [compiler_for(cc, source.suffix), f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
                if standard != "c99":  # which has no anonymous unions
                    command.append("-Wpedantic")
                bad += subprocess.run([*command, f"-I{args.include}", str(source)]).returncode != 0
        for defines, expected in (([], LEGACY), (["-DCUDA_API_PER_THREAD_DEFAULT_STREAM", "-DMUSA_API_PER_THREAD_DEFAULT_STREAM"], PER_THREAD)):
            found = undefined_symbols(cc, args, defines)
            if found != expected:
                print(f"{cc} {defines}: symbols {sorted(found)}, expected {sorted(expected)}")
                bad += 1
    print(f"{len(headers)} headers, {bad} failures")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
