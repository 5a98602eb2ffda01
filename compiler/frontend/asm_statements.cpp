// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly statements as nvcc reads them: a single % before a name, and the constraint "C", whose operand is a constant
// string that takes the place of its reference in the text.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace hel::cc {
namespace {

bool is_ptx_name_start(char C) { return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_'; }

/// `%name` becomes `%%name`; operand references (`%0`, `%[x]`, `%c0`) stay.
std::string escape_ptx_names(StringRef Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    Out += Text[I];
    if (Text[I] != '%' || I + 1 == Text.size()) {
      continue;
    }
    if (Text[I + 1] == '%') {
      Out += Text[++I];
      continue;
    }
    bool IsModifier = I + 2 < Text.size() && (isdigit(static_cast<unsigned char>(Text[I + 2])) || Text[I + 2] == '[');
    if (is_ptx_name_start(Text[I + 1]) && !IsModifier) {
      Out += '%';
    }
  }
  return Out;
}

/// PTX comments run to the end of the line; without them a line break is just a space. Strings of one line need no map
/// from bytes back to source positions, which a string that has grown does not have.
std::string join_lines(StringRef Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text.substr(I).starts_with("//")) {
      while (I < Text.size() && Text[I] != '\n') {
        ++I;
      }
    }
    if (I < Text.size()) {
      Out += Text[I] == '\n' ? ' ' : Text[I];
    }
  }
  return Out;
}

StringLiteral *make_literal(ASTContext &Ctx, const StringLiteral *Like, const std::string &Text) {
  size_t Tokens = 3 * Like->getNumConcatenated() + Text.size() / 4096;
  SmallVector<SourceLocation, 8> Locs;
  for (size_t I = 0; I < Tokens; ++I) {
    Locs.push_back(Like->getStrTokenLoc(I % Like->getNumConcatenated()));
  }
  QualType Char = Ctx.getAsConstantArrayType(Like->getType())->getElementType();
  QualType Type = Ctx.getStringLiteralArrayType(Char, Text.size());
  return StringLiteral::Create(Ctx, Text, Like->getKind(), Like->isPascal(), Type, Locs);
}

StringLiteral *as_literal(Expr *E) { return dyn_cast_or_null<StringLiteral>(E ? E->IgnoreParenImpCasts() : nullptr); }

/// The operands of a statement, outputs first, and its text.
struct Operands {
  std::string text;
  SmallVector<IdentifierInfo *, 8> names;
  SmallVector<Expr *, 8> constraints;
  SmallVector<Expr *, 8> values;
  bool has_changed = false;

  void erase(unsigned At) {
    names.erase(names.begin() + At);
    constraints.erase(constraints.begin() + At);
    values.erase(values.begin() + At);
    has_changed = true;
  }

  /// The text with `With` in the place of the references to operand `At`; those behind it move up.
  void replace_references(unsigned At, const std::string &With) {
    std::string Out;
    StringRef Rest = text;
    while (!Rest.empty()) {
      size_t Percent = std::min(Rest.find('%'), Rest.size());
      Out += Rest.substr(0, Percent);
      Rest = Rest.substr(Percent);
      if (Rest.empty()) {
        break;
      }
      StringRef Behind = Rest.drop_front();
      unsigned Number = 0;
      if (Behind.starts_with("[")) {
        StringRef Name = Behind.drop_front().split(']').first;
        bool IsIt = names[At] && names[At]->getName() == Name;
        Out += IsIt ? With : ("%[" + Name + "]").str();
        Rest = Behind.drop_front(std::min(Name.size() + 2, Behind.size()));
      } else if (!Behind.consumeInteger(10, Number)) {
        Out += Number == At ? With : "%" + std::to_string(Number > At ? Number - 1 : Number);
        Rest = Behind;
      } else {
        size_t Taken = Behind.starts_with("%") ? 2 : 1;
        Out += Rest.substr(0, Taken);
        Rest = Rest.substr(Taken);
      }
    }
    text = Out;
  }
};

/// Puts the strings of "C" operands into the text. A string that depends on template parameters is left to the
/// instances, under the constraint "X" (any value), which PTX does not have. False: an operand is no constant string;
/// it is reported.
bool splice_strings(Sema &S, unsigned NumOutputs, Operands &Statement) {
  for (unsigned I = NumOutputs; I < Statement.values.size();) {
    const StringLiteral *Constraint = as_literal(Statement.constraints[I]);
    if (!Constraint || (Constraint->getString() != "C" && Constraint->getString() != "X")) {
      ++I;
      continue;
    }
    Expr *Value = Statement.values[I];
    if (Value->isValueDependent() || Value->isTypeDependent()) {
      Statement.constraints[I] = make_literal(S.Context, Constraint, "X");
      Statement.has_changed = true;
      ++I;
      continue;
    }
    std::optional<std::string> Text;
    if (Value->getType()->isArrayType()) {
      ExprResult Pointer = S.DefaultFunctionArrayConversion(Value);
      Value = Pointer.isUsable() ? Pointer.get() : Value;
    }
    if (Value->getType()->isPointerType()) {
      Text = Value->tryEvaluateString(S.Context);
    }
    if (!Text) {
      unsigned Id = S.Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                            "the operand of constraint \"C\" must be a constant array of characters");
      S.Diag(Value->getExprLoc(), Id);
      return false;
    }
    Statement.replace_references(I, *Text);
    Statement.erase(I);
  }
  return true;
}

}  // namespace

#define HEL_ASM_STMT                                                                                            \
  "_ZN5clang4Sema15ActOnGCCAsmStmtENS_14SourceLocationEbbjjPPNS_14IdentifierInfoEN4llvm15MutableArrayRefIPNS_4" \
  "ExprEEES9_S8_S9_jS1_"
StmtResult real_asm_stmt(Sema *S, SourceLocation Loc, bool IsSimple, bool IsVolatile, unsigned NumOutputs,
                         unsigned NumInputs, IdentifierInfo **Names, MultiExprArg Constraints, MultiExprArg Exprs,
                         Expr *Text, MultiExprArg Clobbers, unsigned NumLabels, SourceLocation RParen)
    HEL_CLANG_SYMBOL("__real_", HEL_ASM_STMT);
StmtResult wrap_asm_stmt(Sema *S, SourceLocation Loc, bool IsSimple, bool IsVolatile, unsigned NumOutputs,
                         unsigned NumInputs, IdentifierInfo **Names, MultiExprArg Constraints, MultiExprArg Exprs,
                         Expr *Text, MultiExprArg Clobbers, unsigned NumLabels, SourceLocation RParen)
    HEL_CLANG_SYMBOL("__wrap_", HEL_ASM_STMT);

StmtResult wrap_asm_stmt(Sema *S, SourceLocation Loc, bool IsSimple, bool IsVolatile, unsigned NumOutputs,
                         unsigned NumInputs, IdentifierInfo **Names, MultiExprArg Constraints, MultiExprArg Exprs,
                         Expr *Text, MultiExprArg Clobbers, unsigned NumLabels, SourceLocation RParen) {
  const StringLiteral *Literal = as_literal(Text);
  if (!is_device_pass(*S) || !Literal || Literal->getCharByteWidth() != 1 || NumLabels != 0) {
    return real_asm_stmt(S, Loc, IsSimple, IsVolatile, NumOutputs, NumInputs, Names, Constraints, Exprs, Text, Clobbers,
                         NumLabels, RParen);
  }
  Operands Statement;
  Statement.text = Literal->getString().str();
  Statement.names.append(Names, Names + (IsSimple ? 0 : Exprs.size()));
  Statement.constraints.append(Constraints.begin(), Constraints.end());
  Statement.values.append(Exprs.begin(), Exprs.end());
  if (!splice_strings(*S, NumOutputs, Statement)) {
    return StmtError();
  }
  std::string Escaped = escape_ptx_names(Statement.text);
  if (Escaped != Literal->getString()) {
    Text = make_literal(S->Context, Literal, join_lines(Escaped));
    IsSimple = false;  // a simple asm would print %% as it stands
  }
  if (!Statement.has_changed) {
    return real_asm_stmt(S, Loc, IsSimple, IsVolatile, NumOutputs, NumInputs, Names, Constraints, Exprs, Text, Clobbers,
                         NumLabels, RParen);
  }
  unsigned Left = Statement.values.size() - NumOutputs;
  return real_asm_stmt(S, Loc, IsSimple, IsVolatile, NumOutputs, Left, Statement.names.data(), Statement.constraints,
                       Statement.values, Text, Clobbers, NumLabels, RParen);
}

}  // namespace hel::cc
