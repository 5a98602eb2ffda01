// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files with hooks share. Each `wrap_X` replaces clang's X at link time (lld --wrap), `real_X` is clang's own.
// The asm labels carry clang's mangled names: a change in clang shows as a link error or in the hook's test.
#pragma once

#include "compiler/frontend/hooks.h"

#include "clang/AST/Type.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/TokenKinds.h"
#include "clang/Sema/Ownership.h"

namespace clang {
class ASTContext;
class CXXRecordDecl;
class Decl;
class Declarator;
class Expr;
class FunctionDecl;
class Sema;
class VarDecl;
}  // namespace clang

#define HEL_CLANG_SYMBOL(prefix, name) __asm__(prefix name)  // the wrapped clang functions' link names

namespace hel::cc {

/// The state of the pass that runs; null: none was set.
HookState *hook_state();

/// clang does not apply -w and -Werror to diagnostics that it does not know from its tables.
bool is_hidden(clang::Sema &S, clang::SourceLocation Loc, bool Suppressed);
clang::DiagnosticsEngine::Level hook_level(clang::Sema &S, bool Refused);

bool is_device_pass(clang::Sema &S);

/// True the first time in a pass: a variable is warned about once, not at each use.
bool is_first_mention(const clang::Decl *D);

/// Reports what is wrong with a program's own declarations, if anything is; what libraries declare, their makers have
/// compiled with nvcc.
void refuse(clang::Sema &S, clang::SourceLocation Loc, llvm::StringRef Text);

/// An attribute that the program wrote, not one that clang added.
template <typename Attribute, typename Declaration> bool has_explicit(const Declaration *D) {
  const auto *A = D->template getAttr<Attribute>();
  return A && !A->isImplicit();
}

/// Whether a closure is of an extended lambda (extended_lambdas.cpp).
bool is_extended_lambda(clang::ASTContext &Ctx, const clang::CXXRecordDecl *Closure);

/// Report template arguments that kernels and device variables cannot have (template_arguments.cpp).
void check_kernel_arguments(clang::Sema &S, clang::SourceLocation At, const clang::FunctionDecl *Kernel);
void check_variable_arguments(clang::Sema &S, const clang::VarDecl *V);

/// Reports a variable that the language forbids and clang does not (restrictions.cpp).
void check_variable(clang::Sema &S, const clang::VarDecl *V);

/// A memory space that stands behind the definition of the declarator's type is the variable's (memory_spaces.cpp).
void take_spaces_of_type(clang::Sema &S, clang::Declarator &D);

/// Remembers a declaration that is a definition if the file has no other (external_variables.cpp).
void note_external_variable(clang::Sema &S, clang::Decl *D);

/// Makes an operation on pointers to void one that counts bytes (void_pointers.cpp): exchanges the operands before
/// clang looks at it, and gives its result the operand's type again.
class ByteArithmetic {
public:
  ByteArithmetic(clang::Sema &S, clang::SourceLocation At, clang::tok::TokenKind Op, clang::Expr *&Left,
                 clang::Expr *&Right);
  /// `++` and `--`
  ByteArithmetic(clang::Sema &S, clang::SourceLocation At, clang::Expr *&Counted);
  clang::ExprResult finish(clang::ExprResult Result) const;

private:
  void begin(clang::SourceLocation At, clang::Expr *&Pointer, bool IsWritten);

  clang::Sema &sema_;
  clang::QualType type_;  ///< of the pointer; null: the operation is left as it is
  bool is_written_ = false;
};

}  // namespace hel::cc
