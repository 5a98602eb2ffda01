# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs our test programs with the vendor's compiler on the vendor's device: do they expect what CUDA really does?

oracle.py [word]. A test takes part if its first RUN line is `%mcc OPTIONS %s -o %t && … %run %t` and it does not say
`oracle: no (reason)`. MUSA programs are respelt first. Needs nvcc and an NVIDIA GPU.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
RUN = re.compile(r"RUN: %mcc(?P<options>[^%]*) %s -o %t(?P<libraries>( -l\w+)*) && (?P<prefix>[^%]*)%run %t *(?P<rest>.*)")


def candidates(word):
    for folder in ("spec", "api", "kernels", "stress"):
        for path in sorted((TESTS / folder).rglob("*")):
            if path.suffix in {".cu", ".mu", ".cpp"} and word in str(path):
                text = path.read_text(errors="replace")
                first = re.search(r"RUN:.*", text)
                match = RUN.match(first.group(0)) if first else None
                if match and "oracle: no" not in text and "%" not in match["rest"].replace("%FileCheck", ""):
                    yield path, text, match


def respell(text):
    return text.replace("musa", "cuda").replace("MUSA", "CUDA").replace("muGet", "cuGet").replace("CHECK_MU(", "CHECK_CU(")


def check(job):
    path, text, match, folder = job
    name = str(path.relative_to(TESTS)).replace("/", "_")
    source = folder / (name + ".cu")
    source.write_text(respell(text) if path.suffix == ".mu" else text)
    program = folder / (name + ".exe")
    build = ["nvcc", "-std=c++17", "-arch=native", "-I", str(TESTS / "support"), "-I", str(path.parent), *match["options"].split(),
             "-x", "cu", str(source), "-o", str(program), "-lcuda"]
    built = subprocess.run(build, capture_output=True, text=True)
    if built.returncode:
        return path, "does not compile", built.stdout + built.stderr
    environment = dict(os.environ, CUDA_MODULE_LOADING="EAGER", HELICON_DRIVERS="nvidia")
    for setting in re.findall(r"(\w+)=(\S+)", match["prefix"]):
        environment[setting[0].replace("MUSA", "CUDA")] = setting[1]
    try:
        ran = subprocess.run([str(program)], capture_output=True, text=True, errors="replace", timeout=60, env=environment)
    except subprocess.TimeoutExpired:
        return path, "runs too long", ""
    return path, "" if ran.returncode == 0 else f"exit status {ran.returncode}", ran.stdout[-1500:] + ran.stderr[-1500:]


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = total = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(*c, pathlib.Path(name)) for c in candidates(word)]
        for path, why, output in pool.map(check, jobs):
            total += 1
            if why:
                failed += 1
                print(f"DIFFERS {path.relative_to(TESTS)}: {why}")
                print("\n".join("    " + line[:200] for line in output.splitlines()[:8]))
    print(f"{total - failed} agree, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
