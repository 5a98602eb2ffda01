// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables by which the driver finds its way in an image: `__hl_image_info` (abi/kernel.h) and `__hl_line_info`
// (abi/lineinfo.h). They are an object of their own, made when the code's object is known.
#pragma once

#include "compiler/codegen/object_facts.h"

#include <memory>

namespace llvm {
class Module;
}

namespace hel::cc {

/// `module` is the module after all stages, `facts` tell of the object made from it. The result refers to the object by
/// hidden symbols: kernels, variables and kTextSymbol.
std::unique_ptr<llvm::Module> make_image_tables(llvm::Module &module, const ObjectFacts &facts);

/// Marks the start of the code in the object; defined by mark_text(), which keeps all code in one section: functions
/// that LLVM takes for cold or hot would stand in others, of whose frames and lines nothing would be known.
inline constexpr char kTextSymbol[] = "__hl_text";
void mark_text(llvm::Module &module);

}  // namespace hel::cc
