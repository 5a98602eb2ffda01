// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inside, everything has its CUDA name. What a MUSA program's user reads is respelt here, at the edge.
#pragma once

#include <string>

namespace hel::loader {

/// The program's modules were written in MUSA (set when one is registered). A program that has both reads CUDA names.
void note_module_language(bool musa);
bool speaks_musa();

/// `text` as the program's user spells it: "cudaMalloc", "cuInit" and "CUDA_ERROR_…" become "musaMalloc", "muInit" and
/// "MUSA_ERROR_…" for a MUSA program.
std::string spelt(const std::string &text);

/// The same, whatever the program speaks.
std::string musa_spelling(const std::string &text);

}  // namespace hel::loader
