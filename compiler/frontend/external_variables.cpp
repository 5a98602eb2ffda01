// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `extern __device__ T x;` and its kin where a file's device code is a whole program: there is no other file that could
// define x. A declaration that no definition in the file joins is one, of a variable that is zero at first and is the
// file's own.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace hel::cc {
namespace {

bool has_memory(const VarDecl *V) {
  return has_explicit<CUDADeviceAttr>(V) || has_explicit<CUDAConstantAttr>(V) || V->hasAttr<HIPManagedAttr>();
}

/// A definition at the end of the file of what the declaration names. The declaration may stand in a function.
VarDecl *definition_of(ASTContext &Ctx, VarDecl *Declared) {
  DeclContext *Around = Declared->getDeclContext()->getRedeclContext();  // not a linkage specification
  VarDecl *Definition =
      VarDecl::Create(Ctx, Around, Declared->getBeginLoc(), Declared->getLocation(), Declared->getIdentifier(),
                      Declared->getType(), Declared->getTypeSourceInfo(), SC_None);
  for (const Attr *A : Declared->attrs()) {
    Definition->addAttr(A->clone(Ctx));
  }
  Definition->setPreviousDecl(Declared->getMostRecentDecl());
  return Definition;
}

void define(Sema &S, VarDecl *Declared) {
  if (Declared->isInvalidDecl() || Declared->hasDefinition(S.Context) != VarDecl::DeclarationOnly) {
    return;
  }
  if (!is_hidden(S, Declared->getLocation(), hook_rules().hides_externals)) {
    S.Diag(Declared->getLocation(),
           S.Diags.getCustomDiagID(hook_level(S, false),
                                   "no other file can define %0 without -rdc=true: it is defined here"))
        << Declared;
  }
  VarDecl *Definition = definition_of(S.Context, Declared);
  Definition->getDeclContext()->addHiddenDecl(Definition);
  S.Consumer.HandleTopLevelDecl(DeclGroupRef(Definition));
}

}  // namespace

void note_external_variable(Sema &S, Decl *D) {
  auto *V = dyn_cast_or_null<VarDecl>(D);
  if (V && hook_state() && S.getLangOpts().CUDA && !S.getLangOpts().GPURelocatableDeviceCode && has_memory(V) &&
      V->isThisDeclarationADefinition(S.Context) == VarDecl::DeclarationOnly && !V->getType()->isDependentType() &&
      !V->getType()->isIncompleteType() && !S.SourceMgr.isInSystemHeader(V->getLocation())) {
    hook_state()->externals.push_back(V);
  }
}

#define HEL_END_OF_UNIT "_ZN5clang4Sema25ActOnEndOfTranslationUnitEv"
void real_end_of_unit(Sema *Self) HEL_CLANG_SYMBOL("__real_", HEL_END_OF_UNIT);
void wrap_end_of_unit(Sema *Self) HEL_CLANG_SYMBOL("__wrap_", HEL_END_OF_UNIT);

void wrap_end_of_unit(Sema *Self) {
  if (hook_state()) {
    std::vector<VarDecl *> Externals;
    Externals.swap(hook_state()->externals);
    for (VarDecl *V : Externals) {
      define(*Self, V);
    }
  }
  real_end_of_unit(Self);
}

}  // namespace hel::cc
