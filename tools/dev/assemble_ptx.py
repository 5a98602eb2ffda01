# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs to PTX and gives it to ptxas: is all of it accepted?

assemble_ptx.py --mcc MCC --work DIR [--arch sm_90] FILE-OR-FOLDER…. Options of a test's first RUN line are used. A program
that has no device code is left out; one whose PTX is refused by mcc or ptxas is a failure.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = re.compile(r"RUN: %mcc(?P<options>[^%&|]*) %s")


def sources(paths):
    for path in map(pathlib.Path, paths):
        yield from [path] if path.is_file() else (p for p in sorted(path.rglob("*")) if p.suffix in {".cu", ".mu"} and "Inputs" not in p.parts)


def check(job):
    path, arguments, ptxas = job
    text = path.read_text(errors="replace")
    match = RUN.search(text)
    if "__global__" not in text or (match is None and "RUN:" in text) or "ptx: no" in text:
        return path, None
    options = match["options"].split() if match else []
    output = pathlib.Path(arguments.work) / (re.sub(r"\W", "_", str(path)) + ".ptx")
    command = [arguments.mcc, "-I", str(ROOT / "tests" / "support"), *options, "-arch", arguments.arch, "-ptx", str(path), "-o", str(output)]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode:
        return path, made.stderr
    assembled = subprocess.run([ptxas, "-c", "-arch", arguments.arch, str(output), "-o", os.devnull], capture_output=True, text=True)
    return path, assembled.stdout + assembled.stderr if assembled.returncode else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mcc", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("paths", nargs="+")
    arguments = parser.parse_args()
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    os.makedirs(arguments.work, exist_ok=True)
    counts = {"accepted": 0, "refused": 0}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, problem in pool.map(check, [(p, arguments, ptxas) for p in sources(arguments.paths)]):
            if problem is None:
                continue
            counts["refused" if problem else "accepted"] += 1
            if problem:
                print(f"REFUSED {path}\n" + "\n".join("    " + line[:200] for line in problem.splitlines()[:6]))
    print(f"{counts['accepted']} accepted, {counts['refused']} refused")
    return 1 if counts["refused"] or not counts["accepted"] else 0


if __name__ == "__main__":
    sys.exit(main())
