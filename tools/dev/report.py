# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums up a test run: prints what failed, then `N passed, N failed`, and writes results.tsv for `./dev status`.

report.py DIR [--partial]: DIR has unit.xml (ctest), lit.json (lit) and their logs. A partial run (a word was given)
leaves results.tsv alone, so that the status always speaks of a whole run.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree

PASSING = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}


def unit_results(folder):
    path = folder / "unit.xml"
    if not path.exists():
        return
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        state = case.get("status")
        verdict = "passed" if state == "run" else "skipped" if state in ("notrun", "disabled") else "failed"
        if state == "notrun" and case.find("skipped") is not None:
            why = case.find("skipped").get("message", "")
            verdict = "skipped" if "SKIP" in why else "failed"
        yield "unit", case.get("name"), verdict, (case.findtext("system-out") or "").strip()


def lit_results(folder):
    path = folder / "lit.json"
    if not path.exists():
        return
    for test in json.loads(path.read_text())["tests"]:
        code = test["code"]
        verdict = "passed" if code in PASSING else "skipped" if code in SKIPPED else "failed"
        suite, _, name = test["name"].partition(" :: ")
        yield suite, name, verdict, test.get("output", "").strip()


def main():
    folder = pathlib.Path(sys.argv[1])
    results = [*unit_results(folder), *lit_results(folder)]
    if not (folder / "lit.json").exists():
        print((folder / "lit.log").read_text() if (folder / "lit.log").exists() else "lit did not run")
        print("0 passed, 1 failed")
        return 1
    for suite, name, verdict, output in results:
        if verdict == "failed":
            print(f"FAILED {suite} :: {name}")
            print("\n".join("    " + line for line in output.splitlines()[-40:]))
    counts = {v: sum(r[2] == v for r in results) for v in ("passed", "failed", "skipped")}
    if "--partial" not in sys.argv:
        rows = "".join(f"{suite}\t{name}\t{verdict}\n" for suite, name, verdict, _ in results)
        (folder / "results.tsv").write_text(rows)
    if counts["skipped"]:
        print(f"{counts['skipped']} skipped: they need something that is not on this machine")
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
