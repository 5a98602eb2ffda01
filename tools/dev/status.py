# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the features (docs/features.tsv) that have passing tests, from the results of the last whole `./dev test`.

A test names what it covers in lines `// covers: ID ID …`. A feature counts when at least one test names it, and every
test that names it passed. `--write` renews docs/status.md.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

from untested import untested

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
COVERS = re.compile(r"(?://|#|;)\s*covers:\s*(.*)")
PARTS = [("M", "MUSA programming guide"), ("C", "CUDA programming guide"), ("B", "early CUDA tutorial")]


def read_features():
    rows = (ROOT / "docs" / "features.tsv").read_text().splitlines()[1:]
    return [tuple(row.split("\t")) for row in rows]


def read_results():
    """Source path (relative to the root) → list of verdicts."""
    verdicts = collections.defaultdict(list)
    unit = {}
    sources = BUILD / "unit" / "sources.tsv"
    for line in sources.read_text().splitlines() if sources.exists() else []:
        name, path = line.split("\t")
        unit.setdefault(name, []).append(str(pathlib.Path(path).relative_to(ROOT)))
    results = BUILD / "report" / "results.tsv"
    if not results.exists():
        sys.exit("status: no results yet; run ./dev test first")
    for line in results.read_text().splitlines():
        suite, name, verdict = line.split("\t")
        if verdict == "skipped":
            continue
        for path in unit.get(name.split(".")[0], []) if suite == "unit" else ["tests/" + name]:
            verdicts[path].append(verdict)
    return verdicts


def read_cover(verdicts, known):
    """Feature id → list of (path, all passed)."""
    cover = collections.defaultdict(list)
    for path, results in verdicts.items():
        if not (ROOT / path).exists():
            continue
        for line in COVERS.findall((ROOT / path).read_text(errors="replace")):
            for feature in line.split():
                if feature not in known:
                    print(f"status: {path} covers {feature}, which docs/features.tsv does not have", file=sys.stderr)
                    continue
                cover[feature].append((path, all(r == "passed" for r in results)))
    return cover


def read_entry_points():
    """The records of entry points, and for those that nobody implements why (api/refused.tsv)."""
    text = subprocess.run([sys.executable, ROOT / "api/gen/main.py", "status", "--library", BUILD / "toolkit/lib/libhelicon.so"],
                          capture_output=True, text=True, check=True).stdout
    lines = [line for line in (ROOT / "api/refused.tsv").read_text().splitlines() if not line.startswith("#")][1:]
    reasons = [line.split("\t") for line in lines]
    records = json.loads(text)
    refused = {}
    for record in records:
        if not {"cpu", "rt", "generated"} & set(record["in"]):
            why = [reason for pattern, reason in reasons if re.fullmatch(pattern + r"(_v\d+)?", record["name"])]
            if not why:
                sys.exit(f"status: {record['name']} is not implemented, and api/refused.tsv does not say why")
            refused[record["name"]] = why[0]
    return records, refused


def entry_point_lines(records, refused):
    out = ["## Entry points", ""]
    for api, title in [("runtime", "runtime API"), ("driver", "driver API")]:
        names = [r["name"] for r in records if r["api"] == api]
        missing = sum(n in refused for n in names)
        out.append(f"* {title}: {len(names) - missing} of {len(names)} functions are implemented on the CPU")
    out += [f"* {len(untested())} of them have no test"]
    out += ["", "The others exist, and answer *not supported*:", "", "| why | functions |", "| --- | --- |"]
    by_reason = collections.defaultdict(list)
    for name, why in refused.items():
        by_reason[why].append("`" + re.sub("^xpu?", lambda prefix: {"xpu": "cuda", "xp": "cu"}[prefix[0]], name) + "`")
    out += [f"| {why} | {' '.join(sorted(names))} |" for why, names in sorted(by_reason.items())]
    return out + [""]


def write_page(features, cover, done):
    out = ["# Status", "", "Made by `./dev status --write` from the tests that passed in the last `./dev test`.", "",
           f"{len(done)} of {len(features)} features have passing tests.", ""]
    for letter, title in PARTS:
        rows = [f for f in features if f[0].startswith(letter + "-")]
        out += [f"## {letter}: {title}", "", f"{sum(f[0] in done for f in rows)} of {len(rows)}", "",
                "| feature | kind | what | tests |", "| --- | --- | --- | --- |"]
        for feature, tag, text in rows:
            tests = cover.get(feature, [])
            mark = f"{len({t for t, _ in tests})} passing" if feature in done else "failing" if tests else "-"
            out.append(f"| `{feature}` | {tag.lower()} | {text} | {mark} |")
        out.append("")
    out += entry_point_lines(*read_entry_points())
    (ROOT / "docs" / "status.md").write_text("\n".join(out))


def main():
    features = read_features()
    cover = read_cover(read_results(), {f[0] for f in features})
    done = {f for f, tests in cover.items() if all(ok for _, ok in tests)}
    totals, passed = collections.Counter(f[1] for f in features), collections.Counter(f[1] for f in features if f[0] in done)
    for tag, total in totals.most_common():
        print(f"{tag:14}{passed[tag]:4} of {total}")
    print(f"{'all':14}{len(done):4} of {len(features)}")
    print("entry points without a test:", " ".join(untested()) or "none")
    if "--write" in sys.argv:
        write_page(features, cover, done)


if __name__ == "__main__":
    main()
