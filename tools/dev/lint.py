# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""House rules that a program can check: allowed includes (layers.txt), file sizes, licence lines, banned words, entry
points that no test calls.

Prints one line a finding and exits 1 if there is any.
"""

import pathlib
import re
import subprocess
import sys

import untested

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {".h", ".cpp", ".cu", ".mu", ".c", ".ll", ".def", ".py", ".api", ".cmake"}
LIMITS = {".h": 400, ".cpp": 800, ".cu": 800, ".mu": 800, ".py": 800, ".def": 800}
TEST_LIMIT = 700
# Spelt in pieces so that this file does not find itself.
BANNED = re.compile(r"\b(" + "|".join(["FIX" + "ME", "HA" + "CK", "XX" + "X"]) + r")\b")
MACHINE = re.compile("|".join(["/ho" + r"me/\w+", "/wo" + "rk/", "/ro" + "ot/", r"/tmp/\w+\.\d"]))
COVERS = re.compile(r"^\W*covers:\s*(.*)", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def tracked():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [p for p in out.stdout.splitlines() if (ROOT / p).is_file()]


def read_layers():
    layers = {}
    for line in (ROOT / "layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            folder, _, allowed = line.partition(":")
            layers[folder.strip()] = allowed.split()
    return layers


def layer_of(path, layers):
    best = ""
    for folder in layers:
        if path.startswith(folder + "/") and len(folder) > len(best):
            best = folder
    return best


def check_layers(path, text, layers, folders):
    mine = layer_of(path, layers)
    if not mine or path.endswith("_test.cpp"):
        return
    for target in INCLUDE.findall(text):
        if target.startswith("helicon/gen/"):
            ok = "gen" in layers[mine]
        elif target.split("/")[0] in folders:
            ok = any(target == a or target.startswith(a + "/") for a in [mine, *layers[mine]])
        else:
            continue
        if not ok:
            yield f"{path}: {mine} may not include {target} (layers.txt)"


def check_text(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if BANNED.search(line):
            yield f"{path}:{number}: banned word"
        if MACHINE.search(line):
            yield f"{path}:{number}: a path of one machine"


def check_covers(path, text, features):
    for line in COVERS.findall(text):
        for feature in line.split():
            if feature not in features:
                yield f"{path}: covers {feature}, which docs/features.tsv does not have"


def main():
    layers = read_layers()
    exceptions_file = ROOT / "docs" / "size-exceptions.txt"
    exceptions = {line.split()[0] for line in exceptions_file.read_text().splitlines() if line and line[0] != "#"}
    files = tracked()
    features = {row.split("\t")[0] for row in (ROOT / "docs" / "features.tsv").read_text().splitlines()}
    folders = {p.split("/")[0] for p in files if "/" in p}
    findings = []
    for path in files:
        suffix = pathlib.PurePath(path).suffix
        try:
            text = (ROOT / path).read_text()
        except UnicodeDecodeError:
            findings.append(f"{path}: not a text file")
            continue
        findings += check_text(path, text)
        if path.startswith("tests/") or "_test." in path:
            findings += check_covers(path, text, features)
        if suffix not in SOURCES:
            continue
        if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in "\n".join(text.splitlines()[:3]):
            findings.append(f"{path}: no licence line at the top")
        lines = text.count("\n")
        limit = TEST_LIMIT if path.startswith("tests/") else LIMITS.get(suffix, 10**9)
        if lines > limit and path not in exceptions:
            findings.append(f"{path}: {lines} lines, more than {limit}; split it by idea or list it in {exceptions_file.name}")
        if suffix in {".h", ".cpp"}:
            findings += check_layers(path, text, layers, folders)
    findings += [f"api: no test calls {name}" for name in untested.untested()]
    print("\n".join(findings) if findings else f"lint: {len(files)} files, nothing found")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
