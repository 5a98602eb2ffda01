# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the files of a HELICON_DUMP folder: for each kernel the stages in order, with the lines that each one changed."""

import difflib
import pathlib
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted(root.rglob("*.ll"), key=lambda p: (str(p.parent), p.name))
    if not files:
        print(f"{root}: no stage changed anything, or none was dumped")
        return
    previous = {}
    for path in files:
        text = path.read_text(errors="replace").splitlines()
        before = previous.get(path.parent, [])
        delta = [line for line in difflib.ndiff(before, text) if line[0] in "+-"] if len(text) < 3000 else []
        added, removed = sum(d[0] == "+" for d in delta), sum(d[0] == "-" for d in delta)
        print(f"{len(text):7} lines  {f'+{added} -{removed}':>14}  {path}")
        previous[path.parent] = text


if __name__ == "__main__":
    main()
