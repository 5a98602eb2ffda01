# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How lit runs the tests under tests/. One instance of the suite exists for each engine.

Substitutions: %mcc (the compiler, with tests/support on the include path), %run (runs a program with a time limit),
%FileCheck, %helicon-opt, %cmake, %toolkit, %S %s %t as always. `lit --param toolkit=DIR` tests an installed copy.
Features for REQUIRES: x86-64-v3 and x86-64-v4 (what the processor can run), nvcc (the vendor's compiler, as an oracle), helicon-opt, engine-<name>,
cccl (mcc finds thrust, cub and libcu++).
"""

import os
import shutil
import subprocess
import sys

toolkit = os.path.abspath(lit_config.params.get("toolkit", config.helicon_toolkit))
support = os.path.join(config.helicon_source, "tests", "support")
sys.path.insert(0, support)
import engine_test  # noqa: E402

llvm = config.helicon_llvm_bin
build_bin = os.path.join(config.helicon_toolkit, "bin")
mcc = os.path.join(toolkit, "bin", "mcc")

config.name = "helicon-" + config.helicon_engine
config.test_source_root = os.path.join(config.helicon_source, "tests")
config.test_format = engine_test.EngineTest(config.helicon_host_only)
config.suffixes = [".cu", ".mu", ".cpp", ".c", ".ll", ".test"]
config.excludes = ["support", "fixtures", "Inputs", "CMakeLists.txt"]

config.substitutions += [
    ("%mcc", f"{mcc} -I{support}"),
    ("%run", "timeout --kill-after=5 " + lit_config.params.get("limit", "60")),
    ("%FileCheck", os.path.join(llvm, "FileCheck")),
    ("%helicon-opt", os.path.join(build_bin, "helicon-opt")),
    ("%cmake", "cmake"),
    ("%toolkit", toolkit),
    ("%source", config.helicon_source),
    ("%python", shutil.which("python3") or "python3"),
    ("%llvm-bin", llvm),
]

config.environment = {
    "PATH": os.pathsep.join([llvm, os.environ.get("PATH", "/usr/bin:/bin")]),
    "HOME": os.environ.get("HOME", "/tmp"),
    "LANG": "C.UTF-8",
    "HELICON_VERIFY": "1",  # the IR after every compiler stage
    # "warp" is the default choice: the warp engine for each kernel that it can run.
    "HELICON_ENGINE": "" if config.helicon_engine == "warp" else config.helicon_engine,
    "HELICON_CACHE_DIR": os.path.join(config.test_exec_root, "cache"),
}

config.available_features.add("engine-" + config.helicon_engine)
with open("/proc/cpuinfo") as info:
    flags = next((line.split() for line in info if line.startswith("flags")), [])
if {"avx2", "bmi2", "f16c", "fma", "movbe"} <= set(flags):
    config.available_features.add("x86-64-v3")
    if {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= set(flags):
        config.available_features.add("x86-64-v4")
nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
if nvcc:
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", nvcc))
probe = subprocess.run([mcc, "-E", "-x", "cu", "-include", "thrust/version.h", os.devnull], capture_output=True, timeout=120)
if probe.returncode == 0:
    config.available_features.add("cccl")
for tool in ["helicon-opt"]:
    if os.path.exists(os.path.join(build_bin, tool)):
        config.available_features.add(tool)
