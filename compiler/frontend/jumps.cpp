// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches of device code whose labels lie past the initialisation of a variable in the same block: a warning, as nvcc
// has it, which hands no such body to a host compiler. The variable is not initialised on that way. `goto` past one is
// an error for nvcc too.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace hel::cc {
namespace {

struct Jumps {
  const VarDecl *passed = nullptr;  ///< the first variable that a label of a switch passes
  bool has_others = false;          ///< labels, or variables whose end runs code
};

const VarDecl *initialised_by(ASTContext &Ctx, const Stmt *S, Jumps &Found) {
  const VarDecl *Last = nullptr;
  if (const auto *Declarations = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declarations->decls()) {
      const auto *V = dyn_cast<VarDecl>(D);
      Found.has_others |= V && V->needsDestruction(Ctx) != QualType::DK_none;
      Last = V && V->hasLocalStorage() && V->hasInit() ? V : Last;
    }
  }
  return Last;
}

/// `case 1: case 2: int x = 3;` is one statement, the last of which is the declaration.
const Stmt *behind_labels(const Stmt *S) {
  while (const auto *Case = dyn_cast<SwitchCase>(S)) {
    S = Case->getSubStmt();
  }
  return S;
}

void find(ASTContext &Ctx, const Stmt *S, bool IsSwitch, Jumps &Found) {
  Found.has_others |= isa<LabelStmt>(S) || isa<IndirectGotoStmt>(S) || isa<CXXTryStmt>(S);
  const VarDecl *Initialised = nullptr;
  for (const Stmt *Child : S->children()) {
    if (!Child) {
      continue;
    }
    if (IsSwitch && Initialised && !Found.passed && isa<SwitchCase>(Child)) {
      Found.passed = Initialised;
    }
    if (const VarDecl *V = initialised_by(Ctx, behind_labels(Child), Found)) {
      Initialised = V;
    }
    find(Ctx, Child, isa<SwitchStmt>(S) && isa<CompoundStmt>(Child), Found);
  }
}

}  // namespace

#define HEL_JUMPS "_ZN5clang4Sema20DiagnoseInvalidJumpsEPNS_4StmtE"
void real_jumps(Sema *S, Stmt *Body) HEL_CLANG_SYMBOL("__real_", HEL_JUMPS);
void wrap_jumps(Sema *S, Stmt *Body) HEL_CLANG_SYMBOL("__wrap_", HEL_JUMPS);

void wrap_jumps(Sema *S, Stmt *Body) {
  const FunctionDecl *F = S->getLangOpts().CUDA ? S->getCurFunctionDecl(/*AllowLambda=*/true) : nullptr;
  Jumps Found;
  if (F && (F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>()) && !F->hasAttr<CUDAHostAttr>()) {
    find(S->Context, Body, false, Found);
  }
  if (!Found.passed || Found.has_others) {
    return real_jumps(S, Body);
  }
  if (!is_hidden(*S, Found.passed->getLocation(), false)) {
    S->Diag(Found.passed->getLocation(),
            S->Diags.getCustomDiagID(hook_level(*S, false), "a label of the switch lies past the initialisation of %0"))
        << Found.passed;
  }
}

}  // namespace hel::cc
