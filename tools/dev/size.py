# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of code: a row a folder, the longest files, and the change against main (or the commit that is named)."""

import collections
import pathlib
import subprocess
import sys

SUFFIXES = {".h", ".cpp", ".cu", ".mu", ".c", ".ll", ".def", ".py", ".api", ".S", ".cmake"}


def git(*args):
    return subprocess.run(["git", *args], capture_output=True, text=True, check=False).stdout


def main():
    base = sys.argv[1] if len(sys.argv) > 1 else "main"
    lines = {}
    for path in git("ls-files").splitlines():
        p = pathlib.Path(path)
        if p.suffix in SUFFIXES and p.is_file():
            lines[path] = p.read_text(errors="replace").count("\n")
    change = collections.Counter()
    for row in git("diff", "--numstat", base).splitlines():
        added, removed, path = row.split("\t", 2)
        if added != "-":
            change[path.split("/")[0]] += int(added) - int(removed)
    folders = collections.defaultdict(list)
    for path, n in lines.items():
        folders[path.split("/")[0] if "/" in path else "."].append(n)
    print(f"{'folder':14}{'files':>6}{'lines':>8}{'median':>8}{'change':>8}")
    for folder, sizes in sorted(folders.items()):
        sizes.sort()
        print(f"{folder:14}{len(sizes):6}{sum(sizes):8}{sizes[len(sizes) // 2]:8}{change[folder]:+8}")
    everything = sorted(lines.values())
    if everything:
        p90 = everything[len(everything) * 9 // 10]
        print(f"{'all':14}{len(everything):6}{sum(everything):8}{everything[len(everything) // 2]:8}   p90 {p90}")
    for path, n in sorted(lines.items(), key=lambda row: -row[1])[:10]:
        print(f"{n:6}  {path}")


if __name__ == "__main__":
    main()
