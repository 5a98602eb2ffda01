// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an emitted object tells about its code: where each function lies, how big its frame is, which source lines it has.
#pragma once

#include "base/result.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hel::cc {

struct CodeRange {
  std::string name;
  uint32_t begin, end;  ///< offsets in the object's .text
  uint32_t stack_bytes;
};

struct CodeLine {
  uint32_t offset;
  uint32_t line;  ///< 0: none from here on
  std::string file;
};

struct ObjectFacts {
  std::vector<CodeRange> functions;  ///< by address
  std::vector<CodeLine> lines;       ///< by address; empty without debug information
};

Result<ObjectFacts> read_object_facts(llvm::ArrayRef<char> object);

}  // namespace hel::cc
