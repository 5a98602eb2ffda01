// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/nvcc_pragmas.h"

#include "compiler/frontend/diagnostic_numbers.h"
#include "compiler/frontend/hooks.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/LiteralSupport.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

#include <map>
#include <memory>
#include <vector>

using namespace clang;

namespace hel::cc {
namespace {

enum class Level { Suppress, Warning, Error, Default };

/// The levels that the pragmas of one source have set.
class Levels {
public:
  explicit Levels(DiagnosticsEngine &Diags) : diags_(Diags) {}

  void set(StringRef Message, Level To, SourceLocation At) {
    set_hook_warning(Message.str(), To == Level::Suppress);
    const char *Group = clang_warning_of(Message.str());
    if (!Group) {
      return;
    }
    auto [Known, IsNew] = command_line_.try_emplace(Group);
    if (IsNew) {
      SmallVector<diag::kind, 32> Members;
      diags_.getDiagnosticIDs()->getDiagnosticsInGroup(diag::Flavor::WarningOrError, Group, Members);
      for (diag::kind Member : Members) {
        Known->second.emplace_back(Member,
                                   diags_.isIgnored(Member, At) ? diag::Severity::Ignored : diag::Severity::Warning);
      }
    }
    for (auto [Member, Given] : Known->second) {
      diags_.setSeverity(Member,
                         To == Level::Suppress  ? diag::Severity::Ignored
                         : To == Level::Warning ? diag::Severity::Warning
                         : To == Level::Error   ? diag::Severity::Error
                                                : Given,
                         At);
    }
  }

  void push(SourceLocation At) { diags_.pushMappings(At), push_hook_warnings(); }
  void pop(SourceLocation At) { diags_.popMappings(At), pop_hook_warnings(); }

private:
  DiagnosticsEngine &diags_;
  std::map<std::string, std::vector<std::pair<diag::kind, diag::Severity>>> command_line_;
};

/// `#pragma nv_diag_suppress 177, 550`: numbers or names, with commas, spaces or an equals sign between them.
struct LevelPragma : PragmaHandler {
  LevelPragma(StringRef Name, std::shared_ptr<Levels> L, Level To)
      : PragmaHandler(Name), levels(std::move(L)), to(To) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &) override {
    Token Tok;
    for (PP.LexUnexpandedToken(Tok); Tok.isNot(tok::eod); PP.LexUnexpandedToken(Tok)) {
      if (Tok.isOneOf(tok::numeric_constant, tok::identifier)) {
        levels->set(PP.getSpelling(Tok), to, Introducer.Loc);
      }
    }
  }

  std::shared_ptr<Levels> levels;
  Level to;
};

struct StackPragma : PragmaHandler {
  StackPragma(StringRef Name, std::shared_ptr<Levels> L) : PragmaHandler(Name), levels(std::move(L)) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &) override {
    Token Tok;
    PP.LexUnexpandedToken(Tok);
    const IdentifierInfo *What = Tok.getIdentifierInfo();
    if (What && What->isStr("push")) {
      levels->push(Introducer.Loc);
    } else if (What && What->isStr("pop")) {
      levels->pop(Introducer.Loc);
    }
  }

  std::shared_ptr<Levels> levels;
};

}  // namespace

void add_nvcc_pragmas(Preprocessor &PP) {
  auto Shared = std::make_shared<Levels>(PP.getDiagnostics());
  for (std::string Prefix : {"nv_diag_", "diag_"}) {
    PP.AddPragmaHandler(new LevelPragma(Prefix + "suppress", Shared, Level::Suppress));
    PP.AddPragmaHandler(new LevelPragma(Prefix + "remark", Shared, Level::Suppress));
    PP.AddPragmaHandler(new LevelPragma(Prefix + "warning", Shared, Level::Warning));
    PP.AddPragmaHandler(new LevelPragma(Prefix + "once", Shared, Level::Warning));
    PP.AddPragmaHandler(new LevelPragma(Prefix + "error", Shared, Level::Error));
    PP.AddPragmaHandler(new LevelPragma(Prefix + "default", Shared, Level::Default));
  }
  PP.AddPragmaHandler(new StackPragma("nv_diagnostic", Shared));
  for (const char *Name : {"nv_abi", "nv_mma_throughput", "nv_exec_check_disable", "hd_warning_disable"}) {
    PP.AddPragmaHandler(new EmptyPragmaHandler(Name));
  }
}

}  // namespace hel::cc
