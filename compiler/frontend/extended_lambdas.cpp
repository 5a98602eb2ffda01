// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extended lambdas: which closures are such, and what the language forbids them.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

namespace hel::cc {
namespace {

constexpr char kDeviceMarker[] = "__hl_device_lambda";
constexpr char kHostDeviceMarker[] = "__hl_host_device_lambda";
constexpr char kResultMarker[] = "__hl_device_lambda_with_result";
constexpr unsigned kMostDimensions = 7;  ///< of an array that is captured

/// Adds `using <name> = void` to the closure type, for the traits of the prologue to find.
void add_marker(ASTContext &Ctx, CXXRecordDecl *Closure, const char *Name) {
  IdentifierInfo &Id = Ctx.Idents.get(Name);
  if (!Closure->lookup(&Id).empty()) {
    return;
  }
  auto *Marker = TypedefDecl::Create(Ctx, Closure, Closure->getLocation(), Closure->getLocation(), &Id,
                                     Ctx.getTrivialTypeSourceInfo(Ctx.VoidTy));
  Marker->setAccess(AS_public);
  Marker->setImplicit();
  Closure->addDecl(Marker);
}

bool is_private(const Decl *D) { return D->getAccess() == AS_private || D->getAccess() == AS_protected; }

StringRef fault_of_enclosing(const FunctionDecl *Enclosing) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Enclosing);
  const CXXRecordDecl *Class = Method ? Method->getParent() : nullptr;
  if (Class && Class->isLambda()) {
    return Class->isGenericLambda() ? "an extended lambda cannot be defined inside a generic lambda" : "";
  }
  if (Enclosing->getDeclaredReturnType()->getContainedDeducedType()) {
    return "the function around an extended lambda must not have a deduced return type";
  }
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(Enclosing)) {
    return "the function around an extended lambda cannot be a constructor or destructor";
  }
  if (Class && Class->isLocalClass()) {
    return "the function around an extended lambda cannot be a member of a local class";
  }
  if (Class && is_private(Method)) {
    return "the function around an extended lambda cannot be a private or protected member";
  }
  for (; Class; Class = dyn_cast<CXXRecordDecl>(Class->getDeclContext())) {
    if (is_private(Class)) {
      return "an extended lambda cannot stand in a private or protected member class";
    }
  }
  return "";
}

/// Whether a parameter of an instance comes of its template's parameter pack.
bool is_of_pack(const FunctionDecl *Enclosing, const ValueDecl *Captured) {
  const FunctionDecl *Pattern = Enclosing->getTemplateInstantiationPattern();
  const auto *Param = dyn_cast<ParmVarDecl>(Captured);
  if (!Pattern || !Param || Param->getDeclContext() != Enclosing) {
    return false;
  }
  unsigned Before = 0;
  while (Before < Pattern->getNumParams() && !Pattern->getParamDecl(Before)->isParameterPack()) {
    ++Before;
  }
  unsigned Of = Enclosing->getNumParams() + 1 - Pattern->getNumParams();  // elements of the one pack
  unsigned At = Param->getFunctionScopeIndex();
  return Before < Pattern->getNumParams() && At >= Before && At < Before + Of;
}

StringRef fault_of_captured(const FunctionDecl *Enclosing, const ValueDecl *Captured) {
  QualType Type = Captured->getType();
  unsigned Dimensions = 0;
  for (; Type->isArrayType(); ++Dimensions) {
    Type = Type->castAsArrayTypeUnsafe()->getElementType();
  }
  if (Dimensions > kMostDimensions) {
    return "an extended lambda cannot capture an array of more than 7 dimensions";
  }
  if (const TagDecl *Tag = Type->getAsTagDecl(); Tag && is_private(Tag)) {
    return "an extended lambda cannot capture a variable of a private or protected member type";
  }
  return is_of_pack(Enclosing, Captured) ? "an extended lambda cannot capture an element of a parameter pack" : "";
}

StringRef fault_of_extended_lambda(const LambdaExpr *Lambda, const FunctionDecl *Enclosing, bool IsHostDevice) {
  if (IsHostDevice && Lambda->isGenericLambda()) {
    return "a __host__ __device__ extended lambda cannot be generic";
  }
  if (Lambda->getCaptureDefault() == LCD_ByRef) {
    return "an extended lambda cannot capture by reference";
  }
  for (const LambdaCapture &Capture : Lambda->captures()) {
    if (!Capture.capturesVariable()) {
      continue;
    }
    if (IsHostDevice && Lambda->isInitCapture(&Capture)) {
      return "a __host__ __device__ extended lambda cannot have an init-capture";
    }
    if (StringRef Fault = fault_of_captured(Enclosing, Capture.getCapturedVar()); !Fault.empty()) {
      return Fault;
    }
  }
  return fault_of_enclosing(Enclosing);
}

bool names_parameter(const Stmt *S) {
  const auto *Name = dyn_cast_or_null<DeclRefExpr>(S);
  return (Name && isa<ParmVarDecl>(Name->getDecl())) || (S && llvm::any_of(S->children(), names_parameter));
}

/// A result type that is written down and means the same outside of the lambda: not `decltype` of a parameter.
bool has_preserved_result(const LambdaExpr *Lambda) {
  const auto *Asked = Lambda->getCallOperator()->getReturnType().getNonReferenceType()->getAs<DecltypeType>();
  return Lambda->hasExplicitResultType() && !(Asked && names_parameter(Asked->getUnderlyingExpr()));
}

/// An extended lambda stands in a function that the host can run and names __device__ itself.
void see_lambda(Sema &S, Expr *E) {
  const auto *Lambda = dyn_cast_or_null<LambdaExpr>(E ? E->IgnoreImplicit() : nullptr);
  if (!Lambda || !S.getLangOpts().CUDA) {
    return;
  }
  CXXRecordDecl *Closure = Lambda->getLambdaClass();
  const auto *Enclosing = dyn_cast_or_null<FunctionDecl>(Closure->getParentFunctionOrMethod());
  const CXXMethodDecl *Call = Lambda->getCallOperator();
  if (!Enclosing || !Call || !has_explicit<CUDADeviceAttr>(Call)) {
    return;
  }
  auto Target = S.CUDA().IdentifyTarget(Enclosing);
  if (Target == CUDAFunctionTarget::Device || Target == CUDAFunctionTarget::Global) {
    return;
  }
  bool IsHostDevice = has_explicit<CUDAHostAttr>(Call);
  refuse(S, Lambda->getBeginLoc(), fault_of_extended_lambda(Lambda, Enclosing, IsHostDevice));
  add_marker(S.Context, Closure, IsHostDevice ? kHostDeviceMarker : kDeviceMarker);
  if (!IsHostDevice && has_preserved_result(Lambda)) {
    add_marker(S.Context, Closure, kResultMarker);
  }
}

}  // namespace

bool is_extended_lambda(ASTContext &Ctx, const CXXRecordDecl *Closure) {
  return !Closure->lookup(&Ctx.Idents.get(kDeviceMarker)).empty() ||
         !Closure->lookup(&Ctx.Idents.get(kHostDeviceMarker)).empty();
}

#define HEL_ACT_LAMBDA "_ZN5clang4Sema15ActOnLambdaExprENS_14SourceLocationEPNS_4StmtE"
ExprResult real_act_lambda(Sema *S, SourceLocation Start, Stmt *Body) HEL_CLANG_SYMBOL("__real_", HEL_ACT_LAMBDA);
ExprResult wrap_act_lambda(Sema *S, SourceLocation Start, Stmt *Body) HEL_CLANG_SYMBOL("__wrap_", HEL_ACT_LAMBDA);

ExprResult wrap_act_lambda(Sema *S, SourceLocation Start, Stmt *Body) {
  ExprResult Result = real_act_lambda(S, Start, Body);
  if (Result.isUsable()) {
    see_lambda(*S, Result.get());
  }
  return Result;
}

#define HEL_BUILD_LAMBDA "_ZN5clang4Sema15BuildLambdaExprENS_14SourceLocationES1_"
ExprResult real_build_lambda(Sema *S, SourceLocation Start, SourceLocation End)
    HEL_CLANG_SYMBOL("__real_", HEL_BUILD_LAMBDA);
ExprResult wrap_build_lambda(Sema *S, SourceLocation Start, SourceLocation End)
    HEL_CLANG_SYMBOL("__wrap_", HEL_BUILD_LAMBDA);

ExprResult wrap_build_lambda(Sema *S, SourceLocation Start, SourceLocation End) {
  ExprResult Result = real_build_lambda(S, Start, End);
  if (Result.isUsable()) {
    see_lambda(*S, Result.get());
  }
  return Result;
}

}  // namespace hel::cc
