# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests on a machine with a GPU and no compiler: builds the test programs here, packs them, judges what came back.

device_test.py build --mcc MCC --toolkit DIR --out FOLDER [word]   programs, libhelicon and the runner into FOLDER
FOLDER/run.py [-j N] [--drivers D] [word]                          there (Python alone): runs them, prints counts
device_test.py check FOLDER/results.json                           here again, for tests that FileCheck judges

A test takes part if its RUN lines are `%mcc OPTIONS %s -o %t … && … %run %t …`, or commands of which those before `%run` can be
done here, and it does not say `gpu: no (reason)`.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLVM = "/usr/lib/llvm-22/bin"  # FileCheck, count
RUN = re.compile(
    r"RUN: %mcc(?P<options>[^%&|]*) %s(?P<more>[^%&|]*) -o %t(?P<libraries>( -l\w+)*) && (?P<prefix>([A-Z_]+=\S+ |env )*)%run %t(?P<rest>( .*)?)$",
    re.M,
)
FOLDERS = ("tests/golden", "tests/kernels", "tests/spec", "tests/api", "tests/stress", "tests/nvptx", "tests/mcc", "examples", "bench")


def programs(word):
    """(name, source, options, libraries, environment, arguments, FileCheck prefix or None); None for options: left out, and why."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix not in {".cu", ".mu", ".cpp", ".test"} or word not in name or "Inputs" in path.parts:
                continue
            text = path.read_text(errors="replace")
            if path.suffix == ".cpp" and "RUN:" not in text:
                continue
            text = re.sub(r"\\\n\S+ RUN: *", "", text)  # a command of several lines
            lines = re.findall(r"RUN: (.*)$", text, re.M)
            of_gpu = [line for line in lines if "HELICON_LOG=engine" not in line]  # engines are the CPU's
            lines = of_gpu if any("%run" in line for line in of_gpu) else lines
            refusal = re.search(r"(?:gpu|oracle): no \(([^)]*)\)", text)
            match = RUN.search(text)
            if refusal:
                yield {"name": name, "skipped": refusal.group(1)}
            elif re.search("HELICON_(DRIVERS|CPU_DEVICES)", "".join(lines)):
                yield {"name": name, "skipped": "about devices of the CPU"}
            elif match and all(RUN.search("RUN: " + line) for line in lines) and (whole := program(name, path, match)):
                yield whole
            elif any("%run" in line for line in lines):
                yield script(name, path, lines)
            elif folder == "examples":
                yield {"name": name, "source": str(path), "options": ["-O3"], "libraries": [], "environment": {}, "arguments": [], "check": None}


def program(name, path, match):
    rest = match["rest"].strip()
    check = expected = None
    if judged := re.match(r"> %t.out && diff %S/(\S+) %t.out$", rest):
        recorded = path.parent / judged[1].replace(".expected", ".h200")  # where the two differ
        expected, rest = (recorded if recorded.exists() else path.parent / judged[1]).read_text(), ""
    if "FileCheck" in rest:
        rest, _, judge = rest.partition("|")
        check = re.findall(r"--check-prefix(?:es)?=\S+", judge)
    data = re.findall(r"%source/(\S+)", rest)
    for file in data:
        rest = rest.replace("%source/" + file, "data/" + file)
    if "%" in rest or "|" in rest or ">" in rest.replace("2>&1", ""):
        return None
    return {
        "name": name,
        "source": str(path),
        "options": [o.replace("%S", str(path.parent)) for o in (match["options"] + match["more"]).split()],
        "libraries": match["libraries"].split(),
        "environment": dict(pair.split("=", 1) for pair in re.findall(r"[A-Z_]+=\S+", match["prefix"])),
        "arguments": rest.replace("2>&1", "").split(),
        "data": data,
        "check": check,
        "expected": expected,
    }


HERE = re.compile(r"%mcc|g\+\+|rm|mkdir|cp|sed|echo")


def script(name, path, lines):
    """A test of several commands: those that build something are done here, those that run programs there."""
    here, there, check = [], [], None
    for step in (step for line in lines if not line.startswith("not ") for step in line.split(" && ")):
        if HERE.match(step):
            here.append(step)
            continue
        judged = re.match(r"(?:%FileCheck(.*?) < ?(\S+)|(.*?) \| %FileCheck(.*))$", step)
        if judged:
            check = re.findall(r"--check-prefix(?:es)?=\S+", judged[1] or judged[4] or "")
            step = "cat " + judged[2] if judged[2] else judged[3]
        if program := re.search(r"%run (\S+)", step):  # a later command may build another one of the same name
            here.append(f"cp {program[1]} {program[1]}.{len(there)}")
            step = step.replace(program[0], f"{program[1]}.{len(there)}")
        there.append(step)
    work, files = "work/" + re.sub(r"\W", "_", name), re.findall(r"%source/([\w./-]+)", " ".join(there))
    text = " && ".join(there)
    for word, meaning in {"%toolkit/lib": "lib", "%t": work, "%source/": "data/", r"%s\b": "data/" + name}.items():
        text = re.sub(word, meaning, text)
    if "%" in text or re.search(r"\b(not|cd) ", text):
        return {"name": name, "skipped": "needs more than a shell: " + " && ".join(there)}
    files += [name] if "data/" + name in text else []
    return {"name": name, "here": here, "work": work, "script": text, "data": files, "environment": {}, "check": check, "expected": None}


def make_here(job, arguments, out):
    """The commands of `script` that build something. What the programs do not need goes away again."""
    source = ROOT / job["name"]
    meanings = {
        "%mcc": f"{arguments.mcc} -I {ROOT / 'tests' / 'support'}", "%toolkit": arguments.toolkit, "%source": str(ROOT), "%FileCheck": f"{LLVM}/FileCheck",
        "%S": str(source.parent), r"%s\b": str(source), "%t": job["work"],
    }  # fmt: skip
    text = " && ".join(job["here"])
    for word, meaning in meanings.items():
        text = re.sub(word, meaning, text)
    made = subprocess.run(["bash", "-c", text], capture_output=True, text=True, cwd=out, env={**os.environ, "PATH": f"{os.environ['PATH']}:{LLVM}"})
    for path in (path for path in (out / "work").glob(job["work"].split("/")[1] + "*") if path.is_file()):
        if str(path.relative_to(out)) not in re.split(r"[ <>]+", job["script"]) and path.suffix != ".so":
            path.unlink()
        elif re.fullmatch(r"\.[0-9]+", path.suffix):
            subprocess.run(["strip", str(path)])
    return made


def build(arguments):
    out = pathlib.Path(arguments.out).resolve()
    shutil.rmtree(out, ignore_errors=True)
    (out / "bin").mkdir(parents=True)
    (out / "lib").mkdir()
    (out / "work").mkdir()
    library = pathlib.Path(arguments.toolkit) / "lib" / "libhelicon.so.0"
    shutil.copy(library.resolve(), out / "lib" / "libhelicon.so.0")
    needed = subprocess.run(["ldd", str(library)], capture_output=True, text=True).stdout
    for zstd in re.findall(r"=> (\S*libzstd\S*)", needed):
        shutil.copy(zstd, out / "lib")
    shutil.copy(ROOT / "tools" / "dev" / "device_run.py", out / "run.py")
    jobs = list(programs(arguments.word))
    for file in {file for job in jobs for file in job.get("data", [])}:
        (out / "data" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, out / "data" / file)

    def make(job):
        if "skipped" in job:
            return job
        if "script" in job:
            made = make_here(job, arguments, out)
            if made.returncode or "no code for NVIDIA GPUs" in made.stderr:
                job["broken"] = made.stderr[-600:]
            return job
        job["program"] = "bin/" + re.sub(r"\W", "_", job["name"])
        command = [arguments.mcc, "-I", str(ROOT / "tests" / "support"), *job["options"], job["source"], "-o", str(out / job["program"])]
        made = subprocess.run([*command, *job["libraries"], "-Xlinker", "-s"], capture_output=True, text=True)
        if made.returncode or "no code for NVIDIA GPUs" in made.stderr:
            job["broken"] = made.stderr[-600:]
        return job

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        made = list(pool.map(make, jobs))
    (out / "tests.json").write_text(json.dumps(made, indent=1))
    if not arguments.word:
        build_speed(arguments, out / "speed")
        build_golden(out / "golden")
    broken = [job for job in made if "broken" in job]
    for job in broken:
        print(f"NOT BUILT {job['name']}\n    " + "\n    ".join(job["broken"].splitlines()[:4]))
    skipped = sum("skipped" in job for job in made)
    print(f"{len(made) - len(broken) - skipped} programs in {out}, {len(broken)} not built, {skipped} left out")


def vendors_compiler():
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return nvcc if pathlib.Path(nvcc).exists() else None


def build_golden(out):
    """The programs of tests/golden by the vendor's compiler: what they print on its GPU is what ours is measured by."""
    out.mkdir()
    for source in sorted((ROOT / "tests" / "golden").glob("*.cu")) if vendors_compiler() else []:
        command = [vendors_compiler(), "-std=c++17", "-arch=sm_90", "-I", str(ROOT / "tests" / "support"), str(source), "-o"]
        subprocess.run([*command, str(out / source.stem), "-lcuda"], check=True)


def build_speed(arguments, out):
    """The kernels of bench/gpu by mcc and, where there is one, by the vendor's compiler."""
    cccl = pathlib.Path("/usr/local/cuda/include/cccl")  # the one that the vendor's compiler uses
    commands = {"mcc": [arguments.mcc, "-O3", "-w"], "nvcc": [vendors_compiler(), "-O3", "-w", "-arch=sm_90"]}
    for build, command in commands.items():
        (out / build).mkdir(parents=True)
        for source in sorted((ROOT / "bench" / "gpu").glob("*.cu")) if command[0] else []:
            paths = ["-I", str(cccl)] if source.stem == "cub" else []
            if source.stem != "cub" or cccl.exists():
                subprocess.run([*command, *paths, str(source), "-o", str(out / build / source.stem), "-Xlinker", "-s"], check=True)


def check(arguments):
    failed = 0
    results = json.loads(pathlib.Path(arguments.results).read_text())
    for result in results:
        if result.get("check") is None or result["status"] != 0:
            failed += result["status"] != 0
            continue
        judged = subprocess.run(
            [arguments.filecheck, *result["check"], str(ROOT / result["name"])], input=result["output"], capture_output=True, text=True
        )
        if judged.returncode:
            failed += 1
            print(f"FAILED {result['name']}\n{judged.stderr[:800]}")
    print(f"{len(results) - failed} right, {failed} wrong")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    builder = commands.add_parser("build")
    builder.add_argument("--mcc", required=True)
    builder.add_argument("--toolkit", required=True)
    builder.add_argument("--out", required=True)
    builder.add_argument("--jobs", type=int, default=os.cpu_count())
    builder.add_argument("word", nargs="?", default="")
    checker = commands.add_parser("check")
    checker.add_argument("results")
    checker.add_argument("--filecheck", default=f"{LLVM}/FileCheck")
    arguments = parser.parse_args()
    return build(arguments) if arguments.command == "build" else check(arguments)


if __name__ == "__main__":
    sys.exit(main())
