# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the option tables of docs/mcc.md from compiler/driver/options.def. --check: only tells whether they agree."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- options.def -->", "<!-- end -->"
ROW = re.compile(r'^HEL_OPTION\((\w+), "([^"]*)", "([^"]*)", (\w+), (\w+), "([^"]*)", "((?:[^"\\]|\\.)*)"\)$')
GROUP = re.compile(r'^HEL_OPTION_GROUP\("([^"]*)"\)$')
VALUE = {"Flag": "", "Boolean": "[=true\\|false]", "Optional": "[ kind]", "Value": " v", "List": " v,…", "Joined": " v"}
NOTE = {"Acts": "", "NoEffect": "*accepted, no effect:* ", "Refused": "*refused:* "}


def tables():
    lines = []
    for text in (ROOT / "compiler/driver/options.def").read_text().splitlines():
        if group := GROUP.match(text):
            lines += ["", f"### {group[1]}", "", "| option | short | |", "| --- | --- | --- |"]
        elif row := ROW.match(text):
            _, long_name, short_name, kind, effect, _, doc = row.groups()
            long_text = f"`--{long_name}`{VALUE[kind]}" if long_name else ""
            short_text = f"`-{short_name}`" if short_name and short_name != long_name else ""
            lines.append(f"| {long_text} | {short_text} | {NOTE[effect]}{doc} |")
        elif text.startswith("HEL_"):
            sys.exit(f"options.def: not understood: {text}")
    return "\n".join(lines) + "\n"


def main():
    path = ROOT / "docs/mcc.md"
    old = path.read_text()
    head, rest = old.split(BEGIN)
    new = head + BEGIN + "\n" + tables() + "\n" + END + rest.split(END)[1]
    if "--check" in sys.argv:
        sys.exit(0 if new == old else "docs/mcc.md does not agree with options.def; run tools/dev/mcc_options.py")
    path.write_text(new)


if __name__ == "__main__":
    main()
