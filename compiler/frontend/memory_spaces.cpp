// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `struct {…} __constant__ x;` `union U {…} __shared__ u[2];`: clang takes an attribute behind the braces of a type for
// one of the type, and ignores it. A memory space there is that of the variables that follow.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/Decl.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace hel::cc {
namespace {

bool is_memory_space(const ParsedAttr &A) {
  switch (A.getKind()) {
    case ParsedAttr::AT_CUDAConstant:
    case ParsedAttr::AT_CUDADevice:
    case ParsedAttr::AT_CUDAShared:
    case ParsedAttr::AT_HIPManaged:
      return true;
    default:
      return false;
  }
}

/// Keeps the memory spaces among the attributes of a type for its variables; the result is the other attributes.
ParsedAttributesView without_spaces(Sema &S, const Decl *Type, const ParsedAttributesView &Attributes) {
  ParsedAttributesView Others;
  for (const ParsedAttr &A : Attributes) {
    if (S.getLangOpts().CUDA && is_memory_space(A) && hook_state()) {
      hook_state()->spaces[Type].push_back(const_cast<IdentifierInfo *>(A.getAttrName()));
    } else {
      Others.addAtEnd(const_cast<ParsedAttr *>(&A));
    }
  }
  return Others;
}

}  // namespace

void take_spaces_of_type(Sema &, Declarator &D) {
  DeclSpec &Spec = D.getMutableDeclSpec();
  if (!hook_state() || hook_state()->spaces.empty() || !DeclSpec::isDeclRep(Spec.getTypeSpecType())) {
    return;
  }
  auto Found = hook_state()->spaces.find(Spec.getRepAsDecl());
  if (Found == hook_state()->spaces.end() || !Spec.isTypeSpecOwned()) {
    return;
  }
  for (IdentifierInfo *Name : Found->second) {
    Spec.getAttributes().addNew(Name, Spec.getTypeSpecTypeLoc(), AttributeScopeInfo(), nullptr, 0,
                                ParsedAttr::Form::GNU());
  }
  hook_state()->spaces.erase(Found);  // the declarators that follow share the specifiers
}

#define HEL_FINISH_MEMBERS                                                                                 \
  "_ZN5clang4Sema33ActOnFinishCXXMemberSpecificationEPNS_5ScopeENS_14SourceLocationEPNS_4DeclES3_S3_RKNS_" \
  "20ParsedAttributesViewE"
void real_finish_members(Sema *Self, Scope *Where, SourceLocation At, Decl *Type, SourceLocation Open,
                         SourceLocation Close, const ParsedAttributesView &Attributes)
    HEL_CLANG_SYMBOL("__real_", HEL_FINISH_MEMBERS);
void wrap_finish_members(Sema *Self, Scope *Where, SourceLocation At, Decl *Type, SourceLocation Open,
                         SourceLocation Close, const ParsedAttributesView &Attributes)
    HEL_CLANG_SYMBOL("__wrap_", HEL_FINISH_MEMBERS);

void wrap_finish_members(Sema *Self, Scope *Where, SourceLocation At, Decl *Type, SourceLocation Open,
                         SourceLocation Close, const ParsedAttributesView &Attributes) {
  real_finish_members(Self, Where, At, Type, Open, Close, without_spaces(*Self, Type, Attributes));
}

#define HEL_ACT_ENUM_BODY                                                                                  \
  "_ZN5clang4Sema13ActOnEnumBodyENS_14SourceLocationENS_11SourceRangeEPNS_4DeclEN4llvm8ArrayRefIS4_EEPNS_" \
  "5ScopeERKNS_20ParsedAttributesViewE"
void real_act_enum_body(Sema *Self, SourceLocation At, SourceRange Braces, Decl *Type, ArrayRef<Decl *> Elements,
                        Scope *Where, const ParsedAttributesView &Attributes)
    HEL_CLANG_SYMBOL("__real_", HEL_ACT_ENUM_BODY);
void wrap_act_enum_body(Sema *Self, SourceLocation At, SourceRange Braces, Decl *Type, ArrayRef<Decl *> Elements,
                        Scope *Where, const ParsedAttributesView &Attributes)
    HEL_CLANG_SYMBOL("__wrap_", HEL_ACT_ENUM_BODY);

void wrap_act_enum_body(Sema *Self, SourceLocation At, SourceRange Braces, Decl *Type, ArrayRef<Decl *> Elements,
                        Scope *Where, const ParsedAttributesView &Attributes) {
  real_act_enum_body(Self, At, Braces, Type, Elements, Where, without_spaces(*Self, Type, Attributes));
}

}  // namespace hel::cc
