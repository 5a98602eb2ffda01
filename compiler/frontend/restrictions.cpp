// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations and assignments that the language forbids and clang lets through.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

namespace hel::cc {
namespace {

bool has_annotation(const Decl *D, StringRef Name) {
  return llvm::any_of(D->specific_attrs<AnnotateAttr>(),
                      [&](const AnnotateAttr *A) { return A->getAnnotation() == Name; });
}

/// A kernel template may have one parameter pack, which comes last.
StringRef fault_of_packs(const TemplateParameterList *Parameters) {
  unsigned Packs = llvm::count_if(*Parameters, [](const NamedDecl *P) { return P->isTemplateParameterPack(); });
  if (Packs > 1) {
    return "a __global__ function template cannot have several parameter packs";
  }
  return Packs == 1 && !Parameters->asArray().back()->isTemplateParameterPack()
             ? "the parameter pack of a __global__ function template must come last"
             : "";
}

/// What is wrong with a kernel's declaration; empty: nothing.
StringRef fault_of_kernel(Sema &S, const FunctionDecl *F) {
  if (F->isVariadic()) {
    return "a __global__ function cannot have an ellipsis";
  }
  if (isa<CXXMethodDecl>(F)) {
    return "a __global__ function cannot be a member function";
  }
  if (F->getFriendObjectKind() != Decl::FOK_None && F->isThisDeclarationADefinition()) {
    return "a __global__ function cannot be defined in a friend declaration";
  }
  if (F->getReturnType()->getContainedDeducedType()) {
    return "a __global__ function must not have a deduced return type";
  }
  if (F->isConstexpr()) {
    return "a __global__ function cannot be constexpr";
  }
  if (F->getExceptionSpecType() != EST_None) {
    return "a __global__ function cannot have an exception specification";
  }
  for (const ParmVarDecl *Param : F->parameters()) {
    if (Param->getType()->isRValueReferenceType()) {
      return "a __global__ function cannot have a parameter that is an rvalue reference";
    }
    if (S.isStdInitializerList(Param->getType().getNonReferenceType().getUnqualifiedType(), nullptr)) {
      return "a __global__ function cannot have a parameter of type std::initializer_list";
    }
  }
  if (F->hasAttr<CUDALaunchBoundsAttr>() && has_annotation(F, "mcc.maxnreg")) {
    return "__launch_bounds__ and __maxnreg__ cannot be applied to the same kernel";
  }
  const FunctionTemplateDecl *Template = F->getDescribedFunctionTemplate();
  return Template ? fault_of_packs(Template->getTemplateParameters()) : "";
}

StringRef fault_of_function(const FunctionDecl *F) {
  if (F->hasAttr<CUDALaunchBoundsAttr>()) {
    return "__launch_bounds__ is only allowed on a __global__ function";
  }
  if (has_annotation(F, "mcc.maxnreg")) {
    return "__maxnreg__ is only allowed on a __global__ function";
  }
  if (has_annotation(F, "mcc.cluster_dims") || has_annotation(F, "mcc.block_size")) {
    return "the attributes of launches are only allowed on a __global__ function";
  }
  return F->isMain() && F->hasAttr<CUDADeviceAttr>() ? "main cannot be a __device__ function" : "";
}

StringRef fault_of_variable(Sema &S, const VarDecl *V) {
  bool IsManaged = V->hasAttr<HIPManagedAttr>();
  if (!IsManaged && !V->hasAttr<CUDADeviceAttr>() && !V->hasAttr<CUDAConstantAttr>()) {
    return "";
  }
  if (V->getAttr<CUDAConstantAttr>() && V->getAttr<CUDAConstantAttr>()->isImplicit()) {
    return "";
  }
  if (isa<DecompositionDecl>(V)) {
    return "a structured binding cannot have a memory space";
  }
  if (V->isStaticDataMember() && !isa<VarTemplateSpecializationDecl>(V)) {
    return "a data member cannot have a memory space";
  }
  if (IsManaged && V->isConstexpr()) {
    return "a __managed__ variable cannot be constexpr";
  }
  if (IsManaged && V->getType().isConstQualified()) {
    return "a __managed__ variable cannot be const";
  }
  if (V->isInline() && V->isExternallyVisible() && !S.getLangOpts().GPURelocatableDeviceCode) {
    return "an inline variable of the device needs internal linkage, or -rdc=true";
  }
  return "";
}

/// The variable of which an lvalue is a part.
const VarDecl *whole_variable(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow()) {
      E = Member->getBase();
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E);
               Element && Element->getBase()->IgnoreImpCasts()->getType()->isArrayType()) {
      E = Element->getBase();
    } else {
      const auto *Name = dyn_cast<DeclRefExpr>(E);
      return Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
    }
  }
}

/// The function whose code is read, if it is one of the device; else null.
const FunctionDecl *device_function(Sema &S) {
  const FunctionDecl *F = S.getLangOpts().CUDA ? S.getCurFunctionDecl(/*AllowLambda=*/true) : nullptr;
  return F && (F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>()) ? F : nullptr;
}

/// Device code cannot write to constant memory.
void check_write(Sema &S, const Expr *Target) {
  if (!Target || !device_function(S)) {
    return;
  }
  const VarDecl *Written = whole_variable(Target);
  if (Written && Written->hasAttr<CUDAConstantAttr>()) {
    refuse(S, Target->getExprLoc(), "a __constant__ variable cannot be written by device code");
  }
}

}  // namespace

void refuse(Sema &S, SourceLocation Loc, StringRef Text) {
  if (!Text.empty() && !S.SourceMgr.isInSystemHeader(Loc)) {
    S.Diag(Loc, S.Diags.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Error, Text));
  }
}

void check_variable(Sema &S, const VarDecl *V) {
  if (!S.getLangOpts().CUDA || V->isInvalidDecl()) {
    return;
  }
  refuse(S, V->getLocation(), fault_of_variable(S, V));
  if (has_explicit<CUDADeviceAttr>(V) || has_explicit<CUDAConstantAttr>(V)) {
    check_variable_arguments(S, V);
  }
}

#define HEL_TARGET_OVERLOAD "_ZN5clang8SemaCUDA19checkTargetOverloadEPNS_12FunctionDeclERKNS_12LookupResultE"
void real_target_overload(SemaCUDA *Self, FunctionDecl *F, const LookupResult &Previous)
    HEL_CLANG_SYMBOL("__real_", HEL_TARGET_OVERLOAD);
void wrap_target_overload(SemaCUDA *Self, FunctionDecl *F, const LookupResult &Previous)
    HEL_CLANG_SYMBOL("__wrap_", HEL_TARGET_OVERLOAD);

/// Every function that is declared comes by here.
void wrap_target_overload(SemaCUDA *Self, FunctionDecl *F, const LookupResult &Previous) {
  if (!F->isInvalidDecl()) {
    refuse(Self->SemaRef, F->getLocation(),
           F->hasAttr<CUDAGlobalAttr>() ? fault_of_kernel(Self->SemaRef, F) : fault_of_function(F));
  }
  real_target_overload(Self, F, Previous);
}

#define HEL_ACT_ADDR_LABEL "_ZN5clang4Sema14ActOnAddrLabelENS_14SourceLocationES1_PNS_9LabelDeclE"
ExprResult real_act_addr_label(Sema *Self, SourceLocation At, SourceLocation LabelAt, LabelDecl *Label)
    HEL_CLANG_SYMBOL("__real_", HEL_ACT_ADDR_LABEL);
ExprResult wrap_act_addr_label(Sema *Self, SourceLocation At, SourceLocation LabelAt, LabelDecl *Label)
    HEL_CLANG_SYMBOL("__wrap_", HEL_ACT_ADDR_LABEL);

ExprResult wrap_act_addr_label(Sema *Self, SourceLocation At, SourceLocation LabelAt, LabelDecl *Label) {
  if (device_function(*Self)) {
    refuse(*Self, At, "the address of a label cannot be taken in device code");
  }
  return real_act_addr_label(Self, At, LabelAt, Label);
}

#define HEL_ACT_BIN_OP "_ZN5clang4Sema10ActOnBinOpEPNS_5ScopeENS_14SourceLocationENS_3tok9TokenKindEPNS_4ExprES7_"
ExprResult real_act_bin_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Left, Expr *Right)
    HEL_CLANG_SYMBOL("__real_", HEL_ACT_BIN_OP);
ExprResult wrap_act_bin_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Left, Expr *Right)
    HEL_CLANG_SYMBOL("__wrap_", HEL_ACT_BIN_OP);

ExprResult wrap_act_bin_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Left, Expr *Right) {
  switch (Op) {
    case tok::equal:
    case tok::plusequal:
    case tok::minusequal:
    case tok::starequal:
    case tok::slashequal:
    case tok::percentequal:
    case tok::ampequal:
    case tok::pipeequal:
    case tok::caretequal:
    case tok::lesslessequal:
    case tok::greatergreaterequal:
      check_write(*Self, Left);
      break;
    default:
      break;
  }
  ByteArithmetic Bytes(*Self, At, Op, Left, Right);
  return Bytes.finish(real_act_bin_op(Self, Where, At, Op, Left, Right));
}

#define HEL_ACT_UNARY_OP "_ZN5clang4Sema12ActOnUnaryOpEPNS_5ScopeENS_14SourceLocationENS_3tok9TokenKindEPNS_4ExprEb"
ExprResult real_act_unary_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Input, bool AfterAmp)
    HEL_CLANG_SYMBOL("__real_", HEL_ACT_UNARY_OP);
ExprResult wrap_act_unary_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Input, bool AfterAmp)
    HEL_CLANG_SYMBOL("__wrap_", HEL_ACT_UNARY_OP);

ExprResult wrap_act_unary_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Input,
                             bool AfterAmp) {
  if (Op != tok::plusplus && Op != tok::minusminus) {
    return real_act_unary_op(Self, Where, At, Op, Input, AfterAmp);
  }
  check_write(*Self, Input);
  ByteArithmetic Bytes(*Self, At, Input);
  return Bytes.finish(real_act_unary_op(Self, Where, At, Op, Input, AfterAmp));
}

#define HEL_ACT_POSTFIX_OP \
  "_ZN5clang4Sema19ActOnPostfixUnaryOpEPNS_5ScopeENS_14SourceLocationENS_3tok9TokenKindEPNS_4ExprE"
ExprResult real_act_postfix_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Input)
    HEL_CLANG_SYMBOL("__real_", HEL_ACT_POSTFIX_OP);
ExprResult wrap_act_postfix_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Input)
    HEL_CLANG_SYMBOL("__wrap_", HEL_ACT_POSTFIX_OP);

ExprResult wrap_act_postfix_op(Sema *Self, Scope *Where, SourceLocation At, tok::TokenKind Op, Expr *Input) {
  check_write(*Self, Input);
  ByteArithmetic Bytes(*Self, At, Input);
  return Bytes.finish(real_act_postfix_op(Self, Where, At, Op, Input));
}

}  // namespace hel::cc
