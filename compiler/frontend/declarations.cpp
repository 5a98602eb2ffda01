// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations and pragmas that nvcc takes, with a warning or as they are, and clang does not.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace hel::cc {
namespace {

void warn(Sema &S, SourceLocation Loc, llvm::StringRef Text) {
  if (!is_hidden(S, Loc, false)) {
    S.Diag(Loc,
           S.Diags.getDiagnosticIDs()->getCustomDiagID(static_cast<DiagnosticIDs::Level>(hook_level(S, false)), Text));
  }
}

/// `extern __shared__ T x[N]` or `extern __shared__ T x`: a variable of its own. Only an array without a size is the
/// launch's dynamic shared memory.
bool is_sized_extern_shared(const Declarator &D) {
  const DeclSpec &Spec = D.getDeclSpec();
  if (Spec.getStorageClassSpec() != DeclSpec::SCS_extern ||
      !Spec.getAttributes().hasAttribute(ParsedAttr::AT_CUDAShared)) {
    return false;
  }
  if (D.getNumTypeObjects() != 0) {
    const DeclaratorChunk &Chunk = D.getTypeObject(0);
    return Chunk.Kind == DeclaratorChunk::Array ? Chunk.Arr.NumElts != nullptr : Chunk.Kind == DeclaratorChunk::Pointer;
  }
  if (Spec.getTypeSpecType() != DeclSpec::TST_typename) {
    return true;
  }
  QualType Named = Spec.getRepAsType().get();
  return !Named.isNull() && !Named->isDependentType() && !Named->isIncompleteArrayType();
}

/// Whether a value holds the address of a managed variable.
bool points_to_managed(const APValue &Value) {
  if (Value.isLValue()) {
    const auto *Base = Value.getLValueBase().dyn_cast<const ValueDecl *>();
    return Base && Base->hasAttr<HIPManagedAttr>();
  }
  auto any = [](unsigned Count, auto &&Element) {
    for (unsigned I = 0; I < Count; ++I) {
      if (points_to_managed(Element(I))) {
        return true;
      }
    }
    return false;
  };
  if (Value.isArray()) {
    return any(Value.getArrayInitializedElts(),
               [&](unsigned I) -> const APValue & { return Value.getArrayInitializedElt(I); });
  }
  if (Value.isStruct()) {
    return any(Value.getStructNumFields(), [&](unsigned I) -> const APValue & { return Value.getStructField(I); }) ||
           any(Value.getStructNumBases(), [&](unsigned I) -> const APValue & { return Value.getStructBase(I); });
  }
  return Value.isUnion() && points_to_managed(Value.getUnionValue());
}

bool is_unknown_to_host(const APValue &Value, const ASTContext &Ctx) {
  return Ctx.getLangOpts().CUDA && !Ctx.getLangOpts().CUDAIsDevice && points_to_managed(Value);
}

}  // namespace

#define HEL_ACT_DECLARATOR "_ZN5clang4Sema15ActOnDeclaratorEPNS_5ScopeERNS_10DeclaratorE"
Decl *real_act_declarator(Sema *Self, Scope *Where, Declarator &D) HEL_CLANG_SYMBOL("__real_", HEL_ACT_DECLARATOR);
Decl *wrap_act_declarator(Sema *Self, Scope *Where, Declarator &D) HEL_CLANG_SYMBOL("__wrap_", HEL_ACT_DECLARATOR);

Decl *wrap_act_declarator(Sema *Self, Scope *Where, Declarator &D) {
  take_spaces_of_type(*Self, D);
  if (Self->getLangOpts().CUDA && is_sized_extern_shared(D)) {
    warn(*Self, D.getIdentifierLoc(), "a __shared__ variable with a size is defined here, 'extern' is ignored");
    D.getMutableDeclSpec().ClearStorageClassSpecs();
  }
  Decl *Declared = real_act_declarator(Self, Where, D);
  note_external_variable(*Self, Declared);
  return Declared;
}

#define HEL_ACT_PARAM "_ZN5clang4Sema20ActOnParamDeclaratorEPNS_5ScopeERNS_10DeclaratorENS_14SourceLocationE"
Decl *real_act_param(Sema *Self, Scope *Where, Declarator &D, SourceLocation This)
    HEL_CLANG_SYMBOL("__real_", HEL_ACT_PARAM);
Decl *wrap_act_param(Sema *Self, Scope *Where, Declarator &D, SourceLocation This)
    HEL_CLANG_SYMBOL("__wrap_", HEL_ACT_PARAM);

/// A memory space on a parameter says nothing: the pointer is a generic one.
Decl *wrap_act_param(Sema *Self, Scope *Where, Declarator &D, SourceLocation This) {
  ParsedAttributes &Attributes = D.getMutableDeclSpec().getAttributes();
  for (auto Kind : {ParsedAttr::AT_CUDAShared, ParsedAttr::AT_CUDADevice, ParsedAttr::AT_CUDAConstant}) {
    auto Found = llvm::find_if(Attributes, [&](const ParsedAttr &A) { return A.getKind() == Kind; });
    if (Self->getLangOpts().CUDA && Found != Attributes.end()) {
      warn(*Self, Found->getLoc(), "a parameter has no memory space, the attribute is ignored");
      Attributes.remove(&*Found);
    }
  }
  return real_act_param(Self, Where, D, This);
}

#define HEL_LOOP_HINT "_ZN5clang4Sema17CheckLoopHintExprEPNS_4ExprENS_14SourceLocationEb"
bool real_loop_hint(Sema *Self, Expr *E, SourceLocation Loc, bool AllowZero) HEL_CLANG_SYMBOL("__real_", HEL_LOOP_HINT);
bool wrap_loop_hint(Sema *Self, Expr *E, SourceLocation Loc, bool AllowZero) HEL_CLANG_SYMBOL("__wrap_", HEL_LOOP_HINT);

/// A count of loops to unroll that makes no sense leaves the loop as it is.
bool wrap_loop_hint(Sema *Self, Expr *E, SourceLocation Loc, bool AllowZero) {
  if (!Self->getLangOpts().CUDA || !E || E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType()) {
    return real_loop_hint(Self, E, Loc, AllowZero);
  }
  std::optional<llvm::APSInt> Count = E->getIntegerConstantExpr(Self->Context);
  if (!Count || (!Count->isNegative() && Count->getActiveBits() < 32)) {
    return real_loop_hint(Self, E, Loc, AllowZero);
  }
  warn(*Self, Loc, "the loop is not unrolled: the count is negative or too large");
  // Inside a template the hint stays, with a count that LLVM finds too large.
  return !Self->inTemplateInstantiation();
}

// Where a managed variable is, the host knows when the program runs: no constant holds its address, so that what points
// to it is initialised then.
#define HEL_EVALUATE_VALUE "_ZNK5clang7VarDecl13evaluateValueEv"
APValue *real_evaluate_value(const VarDecl *Self) HEL_CLANG_SYMBOL("__real_", HEL_EVALUATE_VALUE);
APValue *wrap_evaluate_value(const VarDecl *Self) HEL_CLANG_SYMBOL("__wrap_", HEL_EVALUATE_VALUE);

APValue *wrap_evaluate_value(const VarDecl *Self) {
  APValue *Value = real_evaluate_value(Self);
  return Value && is_unknown_to_host(*Value, Self->getASTContext()) ? nullptr : Value;
}

#define HEL_IS_USABLE "_ZNK5clang7VarDecl29isUsableInConstantExpressionsERKNS_10ASTContextE"
bool real_is_usable(const VarDecl *Self, const ASTContext &Ctx) HEL_CLANG_SYMBOL("__real_", HEL_IS_USABLE);
bool wrap_is_usable(const VarDecl *Self, const ASTContext &Ctx) HEL_CLANG_SYMBOL("__wrap_", HEL_IS_USABLE);

bool wrap_is_usable(const VarDecl *Self, const ASTContext &Ctx) {
  if (!real_is_usable(Self, Ctx)) {
    return false;
  }
  bool IsReferenceOfHost =
      Ctx.getLangOpts().CUDA && !Ctx.getLangOpts().CUDAIsDevice && Self->getType()->isReferenceType();
  const APValue *Value = IsReferenceOfHost ? real_evaluate_value(Self) : nullptr;
  return !Value || !points_to_managed(*Value);
}

#define HEL_EVALUATE_RVALUE "_ZNK5clang4Expr16EvaluateAsRValueERNS0_10EvalResultERKNS_10ASTContextEb"
bool real_evaluate_rvalue(const Expr *Self, Expr::EvalResult &Result, const ASTContext &Ctx, bool InConstant)
    HEL_CLANG_SYMBOL("__real_", HEL_EVALUATE_RVALUE);
bool wrap_evaluate_rvalue(const Expr *Self, Expr::EvalResult &Result, const ASTContext &Ctx, bool InConstant)
    HEL_CLANG_SYMBOL("__wrap_", HEL_EVALUATE_RVALUE);

bool wrap_evaluate_rvalue(const Expr *Self, Expr::EvalResult &Result, const ASTContext &Ctx, bool InConstant) {
  return real_evaluate_rvalue(Self, Result, Ctx, InConstant) && !is_unknown_to_host(Result.Val, Ctx);
}

}  // namespace hel::cc
