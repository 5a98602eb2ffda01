// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on pointers to void counts bytes, with a warning, as nvcc and g++ have it. It is written as the same
// arithmetic on pointers to char, with casts that instantiations of templates keep. `sizeof` of void and of a function
// is 1.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace hel::cc {
namespace {

bool is_void_pointer(const Expr *E) { return E && !E->isTypeDependent() && E->getType()->isVoidPointerType(); }

/// A count of bytes, or what may become one when a template is instantiated.
bool may_count(const Expr *E) {
  return E && (E->isTypeDependent() || E->getType()->isIntegralOrUnscopedEnumerationType());
}

/// `(T *)pointer`, or `(T *&)pointer` for one that is written. The pointee keeps its qualifiers.
Expr *cast_pointee(Sema &S, Expr *Pointer, QualType From, QualType To, bool IsWritten) {
  ASTContext &Ctx = S.Context;
  QualType Target = Ctx.getPointerType(Ctx.getQualifiedType(To, From->getPointeeType().getQualifiers()));
  if (IsWritten) {
    Target = Ctx.getLValueReferenceType(Ctx.getQualifiedType(Target, From.getQualifiers()));
  }
  TypeSourceInfo *Info = Ctx.getTrivialTypeSourceInfo(Target, Pointer->getBeginLoc());
  return S.BuildCStyleCastExpr(Pointer->getBeginLoc(), Info, Pointer->getEndLoc(), Pointer).get();
}

}  // namespace

ByteArithmetic::ByteArithmetic(Sema &S, SourceLocation At, tok::TokenKind Op, Expr *&Left, Expr *&Right) : sema_(S) {
  bool IsSum = Op == tok::plus || Op == tok::plusequal;
  bool IsDifference = Op == tok::minus || Op == tok::minusequal;
  bool IsWritten = Op == tok::plusequal || Op == tok::minusequal;
  if (!S.getLangOpts().CPlusPlus || (!IsSum && !IsDifference)) {
    return;
  }
  if (is_void_pointer(Left) && (IsSum || IsWritten || !Right->isTypeDependent()) && may_count(Right)) {
    begin(At, Left, IsWritten);
  } else if (Op == tok::plus && is_void_pointer(Right) && may_count(Left)) {
    begin(At, Right, false);
  } else if (Op == tok::minus && is_void_pointer(Left) && is_void_pointer(Right)) {
    begin(At, Right, false);
    begin(At, Left, false);
    type_ = QualType();  // a difference is a number
  }
}

ByteArithmetic::ByteArithmetic(Sema &S, SourceLocation At, Expr *&Counted) : sema_(S) {
  if (S.getLangOpts().CPlusPlus && is_void_pointer(Counted)) {
    begin(At, Counted, true);
  }
}

void ByteArithmetic::begin(SourceLocation At, Expr *&Pointer, bool IsWritten) {
  if (IsWritten && !Pointer->isLValue()) {
    return;
  }
  if (!is_hidden(sema_, At, false) && type_.isNull()) {
    DiagnosticsEngine &Diags = sema_.Diags;
    sema_.Diag(At,
               Diags.getDiagnosticIDs()->getCustomDiagID(static_cast<DiagnosticIDs::Level>(hook_level(sema_, false)),
                                                         "arithmetic on a pointer to void counts bytes"));
  }
  type_ = Pointer->getType();
  is_written_ = IsWritten;
  if (Expr *Bytes = cast_pointee(sema_, Pointer, type_, sema_.Context.CharTy, IsWritten)) {
    Pointer = Bytes;
  }
}

ExprResult ByteArithmetic::finish(ExprResult Result) const {
  if (type_.isNull() || !Result.isUsable()) {
    return Result;
  }
  return cast_pointee(sema_, Result.get(), type_, sema_.Context.VoidTy, is_written_ && Result.get()->isLValue());
}

#define HEL_SIZE_OF \
  "_ZN5clang4Sema29ActOnUnaryExprOrTypeTraitExprENS_14SourceLocationENS_20UnaryExprOrTypeTraitEbPvNS_11SourceRangeE"
ExprResult real_size_of(Sema *S, SourceLocation At, UnaryExprOrTypeTrait Kind, bool IsType, void *Operand,
                        SourceRange Range) HEL_CLANG_SYMBOL("__real_", HEL_SIZE_OF);
ExprResult wrap_size_of(Sema *S, SourceLocation At, UnaryExprOrTypeTrait Kind, bool IsType, void *Operand,
                        SourceRange Range) HEL_CLANG_SYMBOL("__wrap_", HEL_SIZE_OF);

ExprResult wrap_size_of(Sema *S, SourceLocation At, UnaryExprOrTypeTrait Kind, bool IsType, void *Operand,
                        SourceRange Range) {
  if (Kind == UETT_SizeOf && S->getLangOpts().CPlusPlus && Operand) {
    QualType Type = IsType ? Sema::GetTypeFromParser(ParsedType::getFromOpaquePtr(Operand))
                           : static_cast<Expr *>(Operand)->getType();
    if (!Type.isNull() && (Type->isVoidType() || Type->isFunctionType())) {
      return S->CreateUnaryExprOrTypeTraitExpr(S->Context.getTrivialTypeSourceInfo(S->Context.CharTy, At), At, Kind,
                                               Range);
    }
  }
  return real_size_of(S, At, Kind, IsType, Operand, Range);
}

}  // namespace hel::cc
