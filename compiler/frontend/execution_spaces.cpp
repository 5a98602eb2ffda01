// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the other side in operands that are not evaluated. What `decltype`, `sizeof`, `noexcept` and
// requirements only ask about is never called: programs and libraries ask on the host what a __device__ function object
// returns. Only a deduced return type is not for the other side to see. And launches in lambdas.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

namespace hel::cc {

#define HEL_PREFERENCE "_ZN5clang8SemaCUDA18IdentifyPreferenceEPKNS_12FunctionDeclES3_"
SemaCUDA::CUDAFunctionPreference real_preference(SemaCUDA *Self, const FunctionDecl *Caller, const FunctionDecl *Callee)
    HEL_CLANG_SYMBOL("__real_", HEL_PREFERENCE);
SemaCUDA::CUDAFunctionPreference wrap_preference(SemaCUDA *Self, const FunctionDecl *Caller, const FunctionDecl *Callee)
    HEL_CLANG_SYMBOL("__wrap_", HEL_PREFERENCE);

/// Whether an operand that is not evaluated surrounds the call whose candidates are compared. Looking at a candidate is
/// an unevaluated context of its own.
static bool is_only_asked(const Sema &S) {
  size_t N = S.ExprEvalContexts.size();
  return N >= 2 && S.ExprEvalContexts[N - 1].isUnevaluated() && S.ExprEvalContexts[N - 2].isUnevaluated();
}

SemaCUDA::CUDAFunctionPreference wrap_preference(SemaCUDA *Self, const FunctionDecl *Caller,
                                                 const FunctionDecl *Callee) {
  SemaCUDA::CUDAFunctionPreference Preference = real_preference(Self, Caller, Callee);
  return Preference == SemaCUDA::CFP_Never && is_only_asked(Self->SemaRef) ? SemaCUDA::CFP_WrongSide : Preference;
}

#define HEL_USE_OF_DECL                                                                          \
  "_ZN5clang4Sema17DiagnoseUseOfDeclEPNS_9NamedDeclEN4llvm8ArrayRefINS_14SourceLocationEEEPKNS_" \
  "17ObjCInterfaceDeclEbbPS7_b"
bool real_use_of_decl(Sema *S, NamedDecl *D, llvm::ArrayRef<SourceLocation> Locs, const ObjCInterfaceDecl *Unknown,
                      bool OmpPartial, bool AvoidPartial, ObjCInterfaceDecl *Receiver, bool SkipTrailing)
    HEL_CLANG_SYMBOL("__real_", HEL_USE_OF_DECL);
bool wrap_use_of_decl(Sema *S, NamedDecl *D, llvm::ArrayRef<SourceLocation> Locs, const ObjCInterfaceDecl *Unknown,
                      bool OmpPartial, bool AvoidPartial, ObjCInterfaceDecl *Receiver, bool SkipTrailing)
    HEL_CLANG_SYMBOL("__wrap_", HEL_USE_OF_DECL);

static bool is_for_device_alone(const FunctionDecl *F) {
  return F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAHostAttr>();
}

static bool has_hidden_return_type(const FunctionDecl *F) {
  return is_for_device_alone(F) && !F->isConstexpr() && F->getReturnType()->getContainedDeducedType() &&
         !(isa<CXXMethodDecl>(F) && cast<CXXMethodDecl>(F)->getParent()->isLambda());
}

bool wrap_use_of_decl(Sema *S, NamedDecl *D, llvm::ArrayRef<SourceLocation> Locs, const ObjCInterfaceDecl *Unknown,
                      bool OmpPartial, bool AvoidPartial, ObjCInterfaceDecl *Receiver, bool SkipTrailing) {
  const auto *F = S->getLangOpts().CUDA ? dyn_cast<FunctionDecl>(D) : nullptr;
  if (F && has_hidden_return_type(F) && S->isUnevaluatedContext() && !S->inTemplateInstantiation() &&
      !S->CurContext->isDependentContext()) {
    const FunctionDecl *Around = S->getCurFunctionDecl(/*AllowLambda=*/true);
    if (!Around || !(Around->hasAttr<CUDADeviceAttr>() || Around->hasAttr<CUDAGlobalAttr>())) {
      refuse(*S, Locs.front(),
             "a __device__ function with a deduced return type cannot be named outside of device code");
    }
  }
  return real_use_of_decl(S, D, Locs, Unknown, OmpPartial, AvoidPartial, Receiver, SkipTrailing);
}

#define HEL_EXEC_CONFIG                                                                            \
  "_ZN5clang8SemaCUDA19ActOnExecConfigExprEPNS_5ScopeENS_14SourceLocationEN4llvm15MutableArrayRef" \
  "IPNS_4ExprEEES3_"
ExprResult real_exec_config(SemaCUDA *Self, Scope *Around, SourceLocation Begin, MultiExprArg Config, SourceLocation End)
    HEL_CLANG_SYMBOL("__real_", HEL_EXEC_CONFIG);
ExprResult wrap_exec_config(SemaCUDA *Self, Scope *Around, SourceLocation Begin, MultiExprArg Config, SourceLocation End)
    HEL_CLANG_SYMBOL("__wrap_", HEL_EXEC_CONFIG);

/// A lambda of host code launches as host code does, in relocatable code too: clang takes all lambdas for functions of
/// both sides, and launches there for those of kernels.
ExprResult wrap_exec_config(SemaCUDA *Self, Scope *Around, SourceLocation Begin, MultiExprArg Config,
                            SourceLocation End) {
  auto &Language = const_cast<LangOptions &>(Self->SemaRef.getLangOpts());
  const FunctionDecl *F = Self->SemaRef.getCurFunctionDecl(/*AllowLambda=*/true);
  const bool IsLambda = F && SemaCUDA::isImplicitHostDeviceFunction(F);
  const unsigned Before = Language.GPURelocatableDeviceCode;
  Language.GPURelocatableDeviceCode = IsLambda ? 0 : Before;
  ExprResult Result = real_exec_config(Self, Around, Begin, Config, End);
  Language.GPURelocatableDeviceCode = Before;
  return Result;
}

}  // namespace hel::cc
