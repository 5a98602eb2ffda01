// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/macros_by_file.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace hel::cc {
namespace {

/// Takes definitions away where files begin that do not see them, and gives them back where others go on. A program
/// that undefines a macro keeps it undefined.
class MacrosByFile : public PPCallbacks {
public:
  MacrosByFile(Preprocessor &PP, const HookRules &Rules)
      : pp_(PP),
        nvcc_{PP.getIdentifierInfo("__NVCC__")},
        folder_(Rules.cuda_code.empty() ? "" : Rules.cuda_code + "/") {
    for (const std::string &Name : Rules.macros_of_cuda_code) {
      cuda_.push_back({PP.getIdentifierInfo(Name)});
    }
  }

  void FileChanged(SourceLocation At, FileChangeReason, SrcMgr::CharacteristicKind Kind, FileID) override {
    SourceManager &Sources = pp_.getSourceManager();
    bool IsCuda = !folder_.empty() && Sources.getFilename(At).starts_with(folder_);
    show(nvcc_, !SrcMgr::isSystem(Kind), At);
    for (Macro &Each : cuda_) {
      MacroInfo *Defined = pp_.getMacroInfo(Each.name);
      bool IsCompilers = !Defined || Sources.isInPredefinedFile(Defined->getDefinitionLoc());
      show(Each, IsCuda || !IsCompilers, At);
    }
  }

private:
  struct Macro {
    IdentifierInfo *name;
    MacroInfo *hidden = nullptr;
  };

  void show(Macro &Each, bool IsSeen, SourceLocation At) {
    MacroInfo *Defined = pp_.getMacroInfo(Each.name);
    if (!IsSeen && Defined) {
      Each.hidden = Defined;
      pp_.appendMacroDirective(Each.name, new (pp_.getPreprocessorAllocator()) UndefMacroDirective(At));
    } else if (IsSeen && Each.hidden) {
      if (!Defined) {
        pp_.appendDefMacroDirective(Each.name, Each.hidden, At);
      }
      Each.hidden = nullptr;
    }
  }

  Preprocessor &pp_;
  Macro nvcc_;
  std::vector<Macro> cuda_;
  std::string folder_;
};

}  // namespace

void show_macros_by_file(Preprocessor &PP, const HookRules &Rules) {
  PP.addPPCallbacks(std::make_unique<MacrosByFile>(PP, Rules));
}

}  // namespace hel::cc
