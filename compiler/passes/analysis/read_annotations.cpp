// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/analysis/read_annotations.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

/// The integers of an annotation's argument struct.
std::vector<uint64_t> argument_values(llvm::Constant *arguments) {
  std::vector<uint64_t> values;
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(arguments->stripPointerCasts());
  if (!variable || !variable->hasInitializer()) {
    return values;
  }
  llvm::Constant *record = variable->getInitializer();
  for (unsigned i = 0; llvm::Constant *element = record->getAggregateElement(i); ++i) {
    if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(element)) {
      values.push_back(number->getZExtValue());
    }
  }
  return values;
}

std::string three(const std::vector<uint64_t> &values, size_t first) {
  std::string text;
  for (size_t i = first; i < first + 3; ++i) {
    text += (i == first ? "" : ",") + std::to_string(i < values.size() ? values[i] : 1);
  }
  return text;
}

void apply(llvm::Function &function, llvm::StringRef what, const std::vector<uint64_t> &values, Compilation &c) {
  if (what == "mcc.cluster_dims") {
    function.addFnAttr("nvvm.cluster_dim", three(values, 0));
  } else if (what == "mcc.block_size") {
    function.addFnAttr("hl.block_size", three(values, 0));
    if (values.size() > 3) {
      function.addFnAttr("nvvm.cluster_dim", three(values, 3));
    }
  } else if (what == "mcc.maxnreg" && !values.empty()) {
    function.addFnAttr("nvvm.maxnreg", std::to_string(values[0]));
  } else if (what == "mcc.inline_hint") {
    function.addFnAttr(llvm::Attribute::InlineHint);
  } else if (what.starts_with("mcc.")) {
    c.diagnostics.error(function, "device code uses '" + what.drop_front(4) + "', which is not supported");
  }
}

}  // namespace

Result<void> read_annotations(llvm::Module &module, Compilation &compilation) {
  llvm::GlobalVariable *list = module.getGlobalVariable("llvm.global.annotations");
  if (!list || !list->hasInitializer()) {
    return {};
  }
  for (const llvm::Use &use : list->getInitializer()->operands()) {
    auto *entry = llvm::cast<llvm::Constant>(use.get());
    auto *function = llvm::dyn_cast<llvm::Function>(entry->getAggregateElement(0u)->stripPointerCasts());
    auto *text = llvm::dyn_cast<llvm::GlobalVariable>(entry->getAggregateElement(1u)->stripPointerCasts());
    auto *bytes = text ? llvm::dyn_cast<llvm::ConstantDataArray>(text->getInitializer()) : nullptr;
    if (function && bytes && bytes->isCString()) {
      llvm::Constant *arguments = entry->getAggregateElement(4u);
      apply(*function, bytes->getAsCString(), arguments ? argument_values(arguments) : std::vector<uint64_t>(),
            compilation);
    }
  }
  list->eraseFromParent();
  return {};
}

}  // namespace hel::cc
