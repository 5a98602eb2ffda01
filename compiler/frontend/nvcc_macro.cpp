// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/nvcc_macro.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace hel::cc {
namespace {

/// Takes the definition away where a system header begins and gives it back where the program's files go on. A program
/// that undefines the macro keeps it undefined.
class SystemHeaders : public PPCallbacks {
public:
  explicit SystemHeaders(Preprocessor &PP) : pp_(PP), name_(PP.getIdentifierInfo("__NVCC__")) {}

  void FileChanged(SourceLocation At, FileChangeReason, SrcMgr::CharacteristicKind Kind, FileID) override {
    MacroInfo *Defined = pp_.getMacroInfo(name_);
    if (SrcMgr::isSystem(Kind) && Defined) {
      hidden_ = Defined;
      pp_.appendMacroDirective(name_, new (pp_.getPreprocessorAllocator()) UndefMacroDirective(At));
    } else if (!SrcMgr::isSystem(Kind) && hidden_) {
      if (!Defined) {
        pp_.appendDefMacroDirective(name_, hidden_, At);
      }
      hidden_ = nullptr;
    }
  }

private:
  Preprocessor &pp_;
  IdentifierInfo *name_;
  MacroInfo *hidden_ = nullptr;
};

}  // namespace

void hide_nvcc_macro_in_system_headers(Preprocessor &PP) { PP.addPPCallbacks(std::make_unique<SystemHeaders>(PP)); }

}  // namespace hel::cc
