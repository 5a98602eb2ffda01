# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes everything that follows from the API records:

    main.py headers --include DIR          public headers of both spellings
    main.py sources --gen DIR              internal headers and sources
    main.py exports [--check FILE]         the exported symbols, or a comparison with the committed list
    main.py status --library FILE          JSON: every entry point and whether it is implemented
    main.py list --what headers|sources    the names of the outputs, for the build system
"""

import argparse
import sys
from pathlib import Path

import headers
import names
import parse
import tables
import wrappers

API = Path(__file__).resolve().parent.parent


def write(folder, outputs):
    """Writes files whose text has changed, so that an unchanged API rebuilds nothing."""
    for name, text in sorted(outputs.items()):
        path = Path(folder) / name
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def sources(records, spellers):
    patterns = [line for line in (API / "exports_extra.txt").read_text().split("\n") if line and line[0] != "#"]
    return wrappers.all_sources(records, spellers) | tables.all_tables(records, spellers, patterns)


def exports(symbols, golden):
    """Prints the exported symbols, or compares them with the committed list."""
    if not golden:
        print("\n".join(symbols))
        return 0
    known = set(Path(golden).read_text().split())
    for name in sorted(known - set(symbols)):
        print(f"no longer exported: {name}")
    for name in sorted(set(symbols) - known):
        print(f"new: {name}")
    return int(known != set(symbols))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["headers", "sources", "exports", "status", "list"])
    parser.add_argument("--include", help="where the public headers go")
    parser.add_argument("--gen", help="where internal sources go")
    parser.add_argument("--check", help="a file to compare with instead of printing")
    parser.add_argument("--library", help="libhelicon.so")
    parser.add_argument("--what", choices=["headers", "sources"])
    args = parser.parse_args()
    records = parse.parse_tree(API)
    spellers = {s: names.Speller(API / "spellings.txt", s) for s in names.SPELLINGS}
    if args.command == "headers":
        write(args.include, headers.all_headers(API / "text", records, spellers))
    elif args.command == "sources":
        write(args.gen, sources(records, spellers))
    elif args.command == "exports":
        return exports(tables.exported(records, spellers), args.check)
    elif args.command == "status":
        print(tables.status(records, args.library))
    elif args.what == "headers":
        print(";".join(headers.all_headers(API / "text", records, spellers)))
    else:
        print(";".join(sources(records, spellers)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (parse.RecordError, ValueError) as e:
        sys.exit(f"api/gen: {e}")
