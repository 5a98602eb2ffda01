# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each entry point of api/ is one function with two symbols: same_body.py ROOT LIBRARY compares their addresses."""

import ctypes
import sys
from pathlib import Path

root = Path(sys.argv[1])
sys.path.insert(0, str(root / "api/gen"))
import names  # noqa: E402
import parse  # noqa: E402

library = ctypes.CDLL(sys.argv[2])
spellers = [names.Speller(root / "api/spellings.txt", spelling) for spelling in names.SPELLINGS]
compared = 0
for record in parse.parse_tree(root / "api"):
    if record.kind != "function":
        continue
    twins = [f"{name}_{record.twin}" for name in [record.name] if record.twin]
    for symbol in [record.name, *record.aliases, *twins]:
        addresses = []
        for speller in spellers:
            name = speller.text(symbol)
            try:
                addresses.append(ctypes.cast(getattr(library, name), ctypes.c_void_p).value)
            except AttributeError:
                print(f"no symbol {name}")
        if len(set(addresses)) == 1 or (record.spelled and len(addresses) == 2):
            compared += 1
        else:
            print(f"{symbol}: not one function in both spellings")
print(f"{compared} symbols in both spellings")
