// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/compilation.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Demangle/Demangle.h"

namespace hel::cc {

std::string Diagnostics::place(const llvm::Instruction &at) const {
  if (const llvm::DebugLoc &loc = at.getDebugLoc()) {
    auto *scope = llvm::cast<llvm::DIScope>(loc.getScope());
    return (scope->getFilename() + ":" + llvm::Twine(loc.getLine()) + ":" + llvm::Twine(loc.getCol())).str();
  }
  const llvm::MDNode *place = at.getMetadata(kPlaceMetadata);
  if (place && place->getNumOperands() > 0) {
    if (auto *text = llvm::dyn_cast<llvm::MDString>(place->getOperand(0))) {
      return text->getString().str();
    }
  }
  return options_.source_name.empty() ? "<device code>" : options_.source_name;
}

void Diagnostics::error(const llvm::Instruction &at, const llvm::Twine &text) {
  // A stage may have made the function from another one and marked it behind a dot.
  std::string function = llvm::demangle(at.getFunction()->getName().split('.').first);
  errors_ += (place(at) + ": error: " + text + " (in '" + function + "')\n").str();
}

void Diagnostics::error(const llvm::Function &in, const llvm::Twine &text) {
  std::string file = options_.source_name.empty() ? "<device code>" : options_.source_name;
  if (const llvm::DISubprogram *sub = in.getSubprogram()) {
    file = (sub->getFilename() + ":" + llvm::Twine(sub->getLine()) + ":1").str();
  }
  errors_ += (llvm::Twine(file) + ": error: " + text + "\n").str();
}

void Diagnostics::error(const llvm::Twine &text) {
  errors_ += ((options_.source_name.empty() ? "<device code>" : options_.source_name) + ": error: " + text + "\n").str();
}

void Diagnostics::warning(const llvm::Instruction &at, const llvm::Twine &text) {
  if (options_.warnings) {
    *options_.warnings += (place(at) + ": warning: " + text + "\n").str();
  }
}

Result<void> Diagnostics::finish() const {
  if (errors_.empty()) {
    return {};
  }
  return HEL_FAIL_KIND(CompileCode::InvalidSource, Unsupported, "%s", errors_.substr(0, errors_.size() - 1).c_str());
}

}  // namespace hel::cc
