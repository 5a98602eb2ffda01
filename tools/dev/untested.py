# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Entry points of api/ that no test calls, found by the names in tests/.

A test of one spelling counts for both (tests/api/spelling/same_body.test). Random calls (tests/fuzz) test no function in
particular. A form that has been replaced has the name that programs now write for its successor; it is called by its
symbol, which stands in quotes.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "api" / "gen"))
import names  # noqa: E402
import parse  # noqa: E402

NAME = re.compile(r'"?\b(?:cuda|musa|cu|mu)[A-Z]\w+"?')
SOURCES = {".cu", ".mu", ".cpp", ".c", ".h"}


def names_in_tests():
    """What tests mention: names, and in quotes those that are looked up."""
    found = set()
    for path in (ROOT / "tests").rglob("*"):
        if path.suffix in SOURCES and "fuzz" not in path.parts:
            for word in NAME.findall(path.read_text(errors="replace")):
                found |= {word, word.strip('"')}
    return found


def untested():
    """Neutral names of the records that no test calls."""
    functions = [r for r in parse.parse_tree(ROOT / "api") if r.kind == "function"]
    spellers = [names.Speller(ROOT / "api" / "spellings.txt", spelling) for spelling in names.SPELLINGS]
    written = {name: r for r in functions for name in r.public.values()}
    mentioned = names_in_tests()
    missing = []
    for record in functions:
        calls = set()
        for name in [record.name, *record.public.values(), *record.aliases]:
            quote = "" if written.get(name, record) is record else '"'
            calls |= {quote + speller.text(name) + quote for speller in spellers}
        if not calls & mentioned:
            missing.append(record.name)
    return missing


if __name__ == "__main__":
    print("\n".join(untested()))
