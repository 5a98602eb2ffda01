# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the errors of the device math functions with the programs of tests/kernels/math/ulp.

    ulp.py MCC [NAME] [--all] [--write]

NAME: one function only. --all: every one of the 2^32 arguments of the float functions of one argument, minutes each.
--write: renews docs/math-accuracy.md; the functions that were not measured keep their rows.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/kernels/math/ulp"
TABLE = FOLDER / "bounds.tsv"
PAGE = ROOT / "docs/math-accuracy.md"
HEAD = "| function | precision | largest error | documented | arguments | at |\n| --- | --- | --- | --- | --- | --- |\n"


def programs(mcc, name, folder):
    """The compiled programs that measure the function, or all of them."""
    for source in sorted(FOLDER.glob("*.cu")):
        if "ULP_" in source.read_text() and (not name or re.search(rf"ULP_\w+\({name},", source.read_text())):
            program = pathlib.Path(folder) / source.stem
            subprocess.run([mcc, f"-I{ROOT}/tests/support", source, "-o", program], check=True)
            yield program


def measure(program, name, every):
    """Rows (function, precision, error, bound, arguments, where); with `every`, one run a function."""
    base = [program, TABLE]
    names = [name] if name else subprocess.run([program, "--list"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    failed = False
    for words in [[*base, "--all", one] for one in names] if every else [[*base, *filter(None, [name])]]:
        run = subprocess.run(words, text=True, stdout=subprocess.PIPE)
        failed |= run.returncode != 0
        for line in run.stdout.splitlines():
            if "\t" in line:
                function, precision, error, bound, count, where = line.split("\t")
                yield function, precision, error, bound, int(count), where
    if failed:
        sys.exit(1)


def write(rows):
    text = PAGE.read_text()
    before, _, after = text.partition(HEAD)
    known = {}
    for line in after.splitlines():
        cells = [cell.strip(" `") for cell in line.split("|")[1:-1]]
        if len(cells) == 6:
            known[cells[0], cells[1]] = cells
    for function, precision, error, bound, count, where in rows:
        old = known.get((function, precision))
        where = where if error != "0" else ""
        if not old or count >= int(old[4]):
            known[function, precision] = [function, precision, error, bound, str(count), where]
    order = [line.split("\t")[0] for line in TABLE.read_text().splitlines()]
    lines = sorted(known.values(), key=lambda c: (order.index(c[0]), c[1] == "double"))
    PAGE.write_text(before + HEAD + "".join(f"| `{c[0]}` | {c[1]} | {c[2]} | {c[3]} | {c[4]} | {c[5] and chr(96) + c[5] + chr(96)} |\n" for c in lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mcc")
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for program in programs(arguments.mcc, arguments.name, folder):
            for row in measure(program, arguments.name, arguments.all):
                print("{:<16}{:<8}{:>4} of {:<4}{:>12} arguments, worst at {}".format(*row), flush=True)
                rows.append(row)
    if not rows:
        sys.exit(f"no function {arguments.name} in {FOLDER}")
    if arguments.write:
        write(rows)


if __name__ == "__main__":
    main()
