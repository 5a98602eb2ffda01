// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions and variables may have names that mean something else in a process ("exp", "index"): in an image they
// get other symbols, and keep the name that the source gave them as a fact.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class GlobalObject;
}

namespace hel::cc {

/// Renames a definition whose symbol would hide a function that compiled code calls by name.
void avoid_process_names(llvm::GlobalObject &definition);

/// The name that the host knows.
llvm::StringRef source_name(const llvm::GlobalObject &definition);

}  // namespace hel::cc
