// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Corrections of clang's semantic analysis for CUDA: calls, variables, lambdas, targets.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/SyncScope.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "llvm/IR/LLVMContext.h"

using namespace clang;

namespace hel::cc {
namespace {

HookState *current_state = nullptr;

/// The linker's name of a function (constructors and destructors: the complete-object one).
std::string mangled_name(ASTContext &Ctx, const FunctionDecl *F) {
  std::unique_ptr<MangleContext> Mangler(Ctx.createMangleContext());
  if (!Mangler->shouldMangleDeclName(F)) {
    return F->getNameAsString();
  }
  GlobalDecl Decl;
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(F)) {
    Decl = GlobalDecl(Ctor, Ctor_Complete);
  } else if (const auto *Dtor = dyn_cast<CXXDestructorDecl>(F)) {
    Decl = GlobalDecl(Dtor, Dtor_Complete);
  } else {
    Decl = GlobalDecl(F);
  }
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Mangler->mangleName(Decl, OS);
  return Name;
}

/// Reaches the protected layout fields of TargetInfo.
struct TargetLayout : TargetInfo {
  static void use_x87_long_double(TargetInfo &T) {
    T.*(&TargetLayout::LongDoubleWidth) = 128;
    T.*(&TargetLayout::LongDoubleAlign) = 128;
    T.*(&TargetLayout::LongDoubleFormat) = &llvm::APFloat::x87DoubleExtended();
  }
};

}  // namespace

void set_hook_state(HookState *state) { current_state = state; }

HookState *hook_state() { return current_state; }

void set_hook_warning(const std::string &number, bool hidden) {
  if (current_state && (number == "20011" || number == "20014")) {
    current_state->rules.hides_host_calls = hidden;
  } else if (current_state && number == "20054") {
    current_state->rules.hides_shared_inits = hidden;
  } else if (current_state && number == "20044") {
    current_state->rules.hides_externals = hidden;
  }
}

void push_hook_warnings() {
  if (current_state) {
    current_state->kept.push_back(current_state->rules);
  }
}

void pop_hook_warnings() {
  if (current_state && !current_state->kept.empty()) {
    current_state->rules = current_state->kept.back();
    current_state->kept.pop_back();
  }
}

const HookRules &hook_rules() {
  static const HookRules none;
  return current_state ? current_state->rules : none;
}

bool is_hidden(Sema &S, SourceLocation Loc, bool Suppressed) {
  return Suppressed || S.Diags.getIgnoreAllWarnings() || S.SourceMgr.isInSystemHeader(Loc);
}

DiagnosticsEngine::Level hook_level(Sema &S, bool Refused) {
  return Refused || S.Diags.getWarningsAsErrors() ? DiagnosticsEngine::Error : DiagnosticsEngine::Warning;
}

bool is_first_mention(const Decl *D) { return current_state && current_state->mentioned.insert(D).second; }

bool is_device_pass(Sema &S) { return S.getLangOpts().CUDA && S.getLangOpts().CUDAIsDevice; }

#define HEL_CHECK_CALL "_ZN5clang8SemaCUDA9CheckCallENS_14SourceLocationEPNS_12FunctionDeclE"
bool real_check_call(SemaCUDA *Self, SourceLocation Loc, FunctionDecl *Callee)
    HEL_CLANG_SYMBOL("__real_", HEL_CHECK_CALL);
bool wrap_check_call(SemaCUDA *Self, SourceLocation Loc, FunctionDecl *Callee)
    HEL_CLANG_SYMBOL("__wrap_", HEL_CHECK_CALL);

bool wrap_check_call(SemaCUDA *Self, SourceLocation Loc, FunctionDecl *Callee) {
  Sema &S = Self->SemaRef;
  FunctionDecl *Caller = S.getCurFunctionDecl(/*AllowLambda=*/true);
  const auto &Context = S.currentEvaluationContext();
  if (Callee->hasAttr<CUDAGlobalAttr>() && !Context.isUnevaluated()) {
    check_kernel_arguments(S, Loc, Callee);
  }
  if (!is_device_pass(S) || !Caller || Context.isUnevaluated() || Context.isConstantEvaluated() ||
      Self->IdentifyTarget(Caller) != CUDAFunctionTarget::HostDevice ||
      SemaCUDA::isImplicitHostDeviceFunction(Caller) ||
      Self->IdentifyPreference(Caller, Callee) != SemaCUDA::CFP_WrongSide || Caller->isDependentContext()) {
    return real_check_call(Self, Loc, Callee);
  }
  if (current_state) {
    current_state->host_calls.insert(mangled_name(S.Context, Callee));
  }
  if (is_hidden(S, Loc, hook_rules().hides_host_calls)) {
    return true;
  }
  unsigned Id = S.Diags.getCustomDiagID(
      hook_level(S, hook_rules().refuses_host_calls),
      "calling the __host__ function %0 from the __host__ __device__ function %1; the call traps in device code");
  bool IsEmitted = S.getEmissionStatus(Caller) == Sema::FunctionEmissionStatus::Emitted;
  auto Kind = IsEmitted ? SemaBase::SemaDiagnosticBuilder::K_ImmediateWithCallStack
                        : SemaBase::SemaDiagnosticBuilder::K_Deferred;
  SemaBase::SemaDiagnosticBuilder(Kind, Loc, Id, Caller, S) << Callee << Caller;
  return true;
}

#define HEL_CHECK_INIT "_ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE"
void real_check_init(SemaCUDA *Self, VarDecl *V) HEL_CLANG_SYMBOL("__real_", HEL_CHECK_INIT);
void wrap_check_init(SemaCUDA *Self, VarDecl *V) HEL_CLANG_SYMBOL("__wrap_", HEL_CHECK_INIT);

void wrap_check_init(SemaCUDA *Self, VarDecl *V) {
  Sema &S = Self->SemaRef;
  check_variable(S, V);
  const Expr *Init = V->getInit();
  const auto *Construct = dyn_cast_or_null<CXXConstructExpr>(Init ? Init->IgnoreImplicit() : nullptr);
  bool IsDefaultConstructed = Construct && Construct->getNumArgs() == 0 && !Construct->isListInitialization() &&
                              V->getInitStyle() == VarDecl::CallInit;
  if (!S.getLangOpts().CUDA || !V->hasAttr<CUDASharedAttr>() || !IsDefaultConstructed || V->isInvalidDecl() ||
      V->getType()->isDependentType()) {
    real_check_init(Self, V);
    return;
  }
  const CXXRecordDecl *Record = Construct->getConstructor()->getParent();
  bool IsEmpty = Self->isEmptyConstructor(V->getLocation(), Construct->getConstructor());
  if (IsEmpty && Self->isEmptyDestructor(V->getLocation(), Record->getDestructor())) {
    real_check_init(Self, V);
    return;
  }
  if (!IsEmpty && !is_hidden(S, V->getLocation(), hook_rules().hides_shared_inits)) {
    unsigned Id = S.Diags.getCustomDiagID(
        hook_level(S, false), "the constructor of the __shared__ variable %0 is not run; it stays uninitialised");
    S.Diag(V->getLocation(), Id) << V;
  }
  V->setInit(nullptr);
}

#define HEL_TARGET_INFO "_ZN5clang10TargetInfo16CreateTargetInfoERNS_17DiagnosticsEngineERNS_13TargetOptionsE"
TargetInfo *real_target_info(DiagnosticsEngine &Diags, TargetOptions &Options)
    HEL_CLANG_SYMBOL("__real_", HEL_TARGET_INFO);
TargetInfo *wrap_target_info(DiagnosticsEngine &Diags, TargetOptions &Options)
    HEL_CLANG_SYMBOL("__wrap_", HEL_TARGET_INFO);

TargetInfo *wrap_target_info(DiagnosticsEngine &Diags, TargetOptions &Options) {
  TargetInfo *Target = real_target_info(Diags, Options);
  if (Target && Target->getTriple().isNVPTX()) {
    TargetLayout::use_x87_long_double(*Target);
  }
  return Target;
}

#define HEL_LANG_OPTS "_ZNK5clang10ParsedAttr16diagnoseLangOptsERNS_4SemaE"
bool real_lang_opts(const ParsedAttr *Attr, Sema &S) HEL_CLANG_SYMBOL("__real_", HEL_LANG_OPTS);
bool wrap_lang_opts(const ParsedAttr *Attr, Sema &S) HEL_CLANG_SYMBOL("__wrap_", HEL_LANG_OPTS);

bool wrap_lang_opts(const ParsedAttr *Attr, Sema &S) {
  if (S.getLangOpts().CUDA && Attr->getKind() == ParsedAttr::AT_HIPManaged) {
    return true;
  }
  return real_lang_opts(Attr, S);
}

#define HEL_SYNC_SCOPE                                                               \
  "_ZNK5clang7CodeGen17TargetCodeGenInfo18getLLVMSyncScopeIDERKNS_11LangOptionsENS_" \
  "9SyncScopeEN4llvm14AtomicOrderingERNS6_"                                          \
  "11LLVMContextE"
llvm::SyncScope::ID real_sync_scope(const void *Self, const LangOptions &Options, SyncScope Scope,
                                    llvm::AtomicOrdering Order, llvm::LLVMContext &Context)
    HEL_CLANG_SYMBOL("__real_", HEL_SYNC_SCOPE);
llvm::SyncScope::ID wrap_sync_scope(const void *Self, const LangOptions &Options, SyncScope Scope,
                                    llvm::AtomicOrdering Order, llvm::LLVMContext &Context)
    HEL_CLANG_SYMBOL("__wrap_", HEL_SYNC_SCOPE);

llvm::SyncScope::ID wrap_sync_scope(const void *Self, const LangOptions &Options, SyncScope Scope,
                                    llvm::AtomicOrdering Order, llvm::LLVMContext &Context) {
  const char *Name = !Options.CUDAIsDevice                ? nullptr
                     : Scope == SyncScope::DeviceScope    ? "device"
                     : Scope == SyncScope::WorkgroupScope ? "block"
                     : Scope == SyncScope::ClusterScope   ? "cluster"
                     : Scope == SyncScope::WavefrontScope ? "block"
                     : Scope == SyncScope::SingleScope    ? "singlethread"
                                                          : nullptr;
  return Name ? Context.getOrInsertSyncScopeID(Name) : real_sync_scope(Self, Options, Scope, Order, Context);
}

}  // namespace hel::cc
