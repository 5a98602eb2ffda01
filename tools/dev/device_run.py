#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs packed test programs (device_test.py build) on this machine: run.py [-j N] [--drivers D] [--out results.json] [word]."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def command(job):
    return ["bash", "-c", job["script"]] if "script" in job else [str(HERE / job["program"]), *job["arguments"]]


def run(job, arguments):
    own = {"LD_LIBRARY_PATH": str(HERE / "lib"), "HELICON_DRIVERS": arguments.drivers, "CUDA_MODULE_LOADING": "EAGER"}
    environment = {**os.environ, **own, **job["environment"]}
    started = time.time()
    try:
        done = subprocess.run(
            command(job), cwd=HERE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=arguments.limit, text=True, errors="replace",
        )
        status, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        status, output = "late", (late.stdout or b"").decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
    if status == 0 and job.get("expected") is not None and output != job["expected"]:
        pairs = zip(job["expected"].splitlines() + [""], output.splitlines() + [""])
        status, output = "differs", "\n".join(f"- {a}\n+ {b}" for a, b in pairs if a != b)
    return {"name": job["name"], "status": status, "seconds": round(time.time() - started, 2), "check": job["check"], "output": output if job["check"] is not None else output[-20000:]}


def accuracy():
    """The errors of the math functions of the device, as the programs of tests/kernels/math/ulp print them."""
    over, count = 0, 0
    for job in json.loads((HERE / "tests.json").read_text()):
        if "kernels/math/ulp" not in job["name"] or not job.get("data"):
            continue
        environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE / "lib"), "HELICON_DRIVERS": "nvidia"}
        done = subprocess.run([str(HERE / job["program"]), *job["arguments"]], cwd=HERE, env=environment, stdout=subprocess.PIPE, text=True)
        for line in (line for line in done.stdout.splitlines() if "\t" in line):
            name, precision, error, bound, points, where = line.split("\t")
            over, count = over + (float(error) > float(bound)), count + 1
            print(f"{name:16}{precision:8}{error:>8} of {bound:<8}{points:>8} arguments, worst at {where}")
    print(f"{count - over} within their bounds, {over} beyond")
    return 1 if over or not count else 0


def golden(folder):
    """What the vendor's programs print, for tests/golden: NAME.expected in `folder`."""
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for program in sorted((HERE / "golden").iterdir()):
        done = subprocess.run([str(program)], stdout=subprocess.PIPE, timeout=120)
        (pathlib.Path(folder) / (program.name + ".expected")).write_bytes(done.stdout)
        print(f"{program.name}: {len(done.stdout.splitlines())} lines, exit status {done.returncode}")
    return 0


def speed():
    """Both builds in turn, five times; the ratio of the medians is the vendor's time over ours."""
    rounds, sums = {}, {}
    for _ in range(5):
        for program in sorted((HERE / "speed").glob("*/*"), key=lambda path: (path.name, path.parent.name)):
            build = program.parent.name
            environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE / "lib"), "HELICON_DRIVERS": "nvidia"}
            done = subprocess.run([str(program)], stdout=subprocess.PIPE, text=True, timeout=120, env=environment)
            for line in done.stdout.splitlines():
                name, microseconds, total = line.split(" ", 2)
                rounds.setdefault(name, {}).setdefault(build, []).append(float(microseconds))
                sums.setdefault(name, {})[build] = total
    print(f"{'kernel':16}{'nvcc us':>12}{'mcc us':>12}{'nvcc/mcc':>10}  sums")
    product, count = 1.0, 0
    for name, of in rounds.items():
        middle = {build: sorted(times)[len(times) // 2] for build, times in of.items()}
        ratio = middle["nvcc"] / middle["mcc"] if len(middle) == 2 else float("nan")
        product, count = product * ratio, count + 1
        print(f"{name:16}{middle.get('nvcc', float('nan')):12.2f}{middle.get('mcc', float('nan')):12.2f}{ratio:10.3f}  {' '.join(sums[name].values())}")
    print(f"geometric mean {product ** (1 / max(count, 1)):.3f}")
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", type=int, default=8)
    parser.add_argument("--drivers", default="nvidia", help="HELICON_DRIVERS for the programs")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--out", default="results.json")
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--golden", metavar="DIR", help="write what the vendor's builds of tests/golden print into DIR instead")
    parser.add_argument("--speed", action="store_true", help="time the kernels of bench/gpu instead")
    parser.add_argument("--accuracy", action="store_true", help="measure the math functions instead")
    arguments = parser.parse_args()
    if arguments.accuracy:
        return accuracy()
    if arguments.golden:
        return golden(arguments.golden)
    if arguments.speed:
        return speed()
    tests = json.loads((HERE / "tests.json").read_text())
    jobs = [job for job in tests if ("program" in job or "script" in job) and "broken" not in job and arguments.word in job["name"]]
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        results = list(pool.map(lambda job: run(job, arguments), jobs))
    pathlib.Path(arguments.out).write_text(json.dumps(results))
    failed = [result for result in results if result["status"] != 0]
    for result in failed:
        print(f"FAILED {result['name']} ({result['status']})")
        print("\n".join("    " + line[:160] for line in result["output"].splitlines()[-5:]))
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
