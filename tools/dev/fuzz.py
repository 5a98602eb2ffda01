#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./dev fuzz [--count N] [--seed S] [--jobs J] [--seconds T] [--keep DIR] [--levels L] [--gpu] [--why]: random kernels on both engines
(fuzz_kernels.py writes them), which must agree bit for bit. The thread engine is the reference.

--levels 3,4: the code for each of these x86-64 levels must agree. --gpu: an NVIDIA GPU must agree too, on the kernels without floating point.
--why: prints why kernels ran on the thread engine only.

Programs can be built on one machine and run on another, which needs Python and the library, but no compiler:
  ./dev fuzz --count 1000 --only-build FOLDER                 here
  python3 FOLDER/fuzz.py --only-run FOLDER --gpu              there
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from fuzz_kernels import KERNELS_A_PROGRAM, write_program

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 300  # seconds that a compilation or a program may take


def run(command, **environment):
    """(output, messages, exit code); a command that takes too long has none."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LONGEST, env={**os.environ, **environment})
        return done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired:
        return "", "takes too long", None


def kernels_of(output):
    """What a program printed of each kernel, by the line that names the kernel."""
    kernels, name = {}, None
    for line in output.splitlines():
        if line.startswith("k"):
            name = line
        kernels.setdefault(name, []).append(line)
    return kernels


def first_difference(expected, found, only=""):
    """The kernel that differs first, of those whose lines have the word; None if all agree."""
    a, b = kernels_of(expected), kernels_of(found)
    return next((name or "?" for name in a if only in (name or "") and a[name] != b.get(name)), None)


def compile_program(seed, source, program, options):
    """Writes the program of this seed and compiles it. What is wrong with it, or None."""
    source.write_text(write_program(random.Random(seed)))
    target = [f"--device-cpu=x86-64-v{level}" for level in options.levels]
    _, messages, status = run([options.mcc, "-w", *target, str(source), "-o", str(program)])
    return None if status == 0 else "does not compile: " + (messages.strip().splitlines() or ["mcc crashed"])[0]


def judge(program, options):
    """Runs a program everywhere: (what is wrong or None, what the library said of the engines)."""
    library = program.parent / "lib"
    base = {"HELICON_LOG": "engine", "HELICON_DRIVERS": "cpu"}
    if library.is_dir():
        base["LD_LIBRARY_PATH"] = str(library)
    expected, messages, status = run([program], **base, HELICON_ENGINE="thread")
    if status != 0:
        return f"fails on the thread engine: {(messages.strip().splitlines() or [status])[-1]}", ""
    engines = ""
    for level in options.levels or ["0"]:
        found, engines, status = run([program], **base, HELICON_ENGINE="", HELICON_CPU_LEVEL=level)
        if status != 0 or found != expected:
            return f"differs at {first_difference(expected, found)} (level {level}, exit {status})", engines
    if options.gpu:
        found, messages, status = run([program], **{**base, "HELICON_DRIVERS": "nvidia"})
        if status != 0:
            return f"fails on the GPU: {(messages.strip().splitlines() or [status])[-1]}", engines
        different = first_difference(expected, found, " integer ")
        if different:
            return f"differs on the GPU at {different}", engines
    return None, engines


def one_program(seed, folder, options):
    """(seed, what is wrong or None, what the library said of the engines)"""
    source, program = folder / f"{seed}.cu", folder / f"{seed}"
    problem = None if options.only_run else compile_program(seed, source, program, options)
    engines = ""
    if not problem and not options.only_build:
        problem, engines = judge(program, options)
    if problem and options.keep and source.exists():
        options.keep.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, options.keep)
    if not (options.only_build or options.only_run):
        source.unlink(missing_ok=True)
        program.unlink(missing_ok=True)
    return seed, problem, engines


def pack(folder, options):
    """What the programs need elsewhere, beside them."""
    library = folder / "lib"
    library.mkdir(parents=True, exist_ok=True)
    for path in (pathlib.Path(options.mcc).resolve().parent.parent / "lib").glob("*.so*"):
        shutil.copy(path, library)
    for name in ("fuzz.py", "fuzz_kernels.py"):
        shutil.copy(HERE / name, folder)


def run_all(seeds, folder, options):
    """Exit status. Prints a line for each program with a difference, and at the end the counts."""
    done = different = failed = widened = 0
    refusals = collections.Counter()
    end = time.monotonic() + options.seconds if options.seconds else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        unless_late = lambda seed: None if end and time.monotonic() > end else one_program(seed, folder, options)
        for seed, problem, engines in filter(None, pool.map(unless_late, seeds)):
            done += 1
            widened += engines.count("engine=warp")
            refusals.update(re.findall(r"engine=thread .*?reason=(.*?)(?: at |$)", engines, re.M))
            if problem:
                failed += "compile" in problem
                different += "compile" not in problem
                print(f"seed {seed}: {problem}", flush=True)
    if options.why:
        for reason, count in refusals.most_common():
            print(f"{count:6} {reason}")
    built = "built" if options.only_build else f"{widened} on the warp engine"
    print(f"{done * KERNELS_A_PROGRAM} kernels, {built}, {different} programs different, {failed} not compiled")
    return 1 if different or failed else 0


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz")
    parser.add_argument("--count", type=int, default=40, help="kernels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--seconds", type=float, help="begin no further program after so long")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for programs that show a difference")
    parser.add_argument("--levels", default="", type=lambda text: [level for level in text.split(",") if level],
                        help="levels of x86-64 whose code must agree as well, as 3,4")
    parser.add_argument("--gpu", action="store_true", help="an NVIDIA GPU must agree too")
    parser.add_argument("--why", action="store_true", help="print why kernels ran on the thread engine only")
    parser.add_argument("--only-build", type=pathlib.Path, metavar="FOLDER", help="build the programs there, run none")
    parser.add_argument("--only-run", type=pathlib.Path, metavar="FOLDER", help="run the programs that were built there")
    parser.add_argument("--mcc", default="build/toolkit/bin/mcc")
    options = parser.parse_args()
    if options.only_run:
        seeds = sorted(int(path.name) for path in options.only_run.iterdir() if path.name.isdigit())
        return run_all(seeds, options.only_run, options)
    seeds = [options.seed * 1000003 + number for number in range(-(-options.count // KERNELS_A_PROGRAM))]
    if options.only_build:
        pack(options.only_build, options)
        return run_all(seeds, options.only_build, options)
    with tempfile.TemporaryDirectory() as folder:
        return run_all(seeds, pathlib.Path(folder), options)


if __name__ == "__main__":
    sys.exit(main())
