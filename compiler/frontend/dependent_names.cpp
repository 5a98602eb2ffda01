// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that nvcc looks up when a template is instantiated, though the standard asks for an answer where it is written.
//
//   t.f<3>(x)   with a dependent t, without `template`: nvcc reads it again for each instance, as a call of a template
//   or as two
//               comparisons. Here the tokens decide: it is a template's argument list if it is closed before a `(` or
//               `::` and nothing in it is known at run time only.
//   s->member   with an incomplete type S: looked up in the instances, where S may be complete.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/ParsedTemplate.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace hel::cc {
namespace {

enum class Meaning { Constant, Type, Runtime };

/// What an unqualified name inside angle brackets can be.
Meaning meaning_of(Sema &S, Scope *Where, const Token &Name) {
  LookupResult Found(S, Name.getIdentifierInfo(), Name.getLocation(), Sema::LookupOrdinaryName);
  Found.suppressDiagnostics();
  if (!Where || !S.LookupName(Found, Where) || !Found.isSingleResult()) {
    return Meaning::Constant;
  }
  const NamedDecl *Decl = Found.getFoundDecl()->getUnderlyingDecl();
  if (isa<TypeDecl>(Decl)) {
    return Meaning::Type;
  }
  if (isa<FieldDecl, IndirectFieldDecl, BindingDecl>(Decl)) {
    return Meaning::Runtime;
  }
  const auto *Var = dyn_cast<VarDecl>(Decl);
  return !Var || Var->isConstexpr() || Var->getType()->isDependentType() ||
                 Var->mightBeUsableInConstantExpressions(S.Context)
             ? Meaning::Constant
             : Meaning::Runtime;
}

/// Reads the tokens behind a name whose next token is `<`.
class ArgumentList {
public:
  ArgumentList(Sema &S, Scope *Where) : sema_(S), where_(Where) {}

  bool is_closed() {
    constexpr unsigned kLongest = 256;
    for (unsigned At = 0; At < kLongest; ++At) {
      const Token &Tok = sema_.getPreprocessor().LookAhead(At);
      if (At == 0 && Tok.isNot(tok::less)) {
        return false;
      }
      if (!take(Tok, sema_.getPreprocessor().LookAhead(At + 1))) {
        return false;
      }
      if (angles_ <= 0) {
        const Token &Next = sema_.getPreprocessor().LookAhead(At + 1);
        return angles_ == 0 && (has_type_ || Next.isOneOf(tok::l_paren, tok::coloncolon));
      }
      last_ = Tok.getKind();
    }
    return false;
  }

private:
  /// False: this is no argument list.
  bool take(const Token &Tok, const Token &Next) {
    if (Tok.isOneOf(tok::l_paren, tok::l_square)) {
      ++parentheses_;
      return true;
    }
    if (Tok.isOneOf(tok::r_paren, tok::r_square)) {
      return --parentheses_ >= 0;
    }
    if (Tok.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::equal, tok::eof, tok::string_literal, tok::plusplus,
                    tok::minusminus)) {
      return false;
    }
    bool IsOutside = parentheses_ == 0;
    if (Tok.is(tok::identifier)) {
      return take_name(Tok, Next, IsOutside);
    }
    if (!IsOutside) {
      return true;
    }
    if (Tok.is(tok::less)) {
      ++angles_;
    } else if (Tok.is(tok::greater)) {
      --angles_;
    } else if (Tok.is(tok::greatergreater)) {
      angles_ -= 2;
    } else if (Tok.isOneOf(tok::pipepipe, tok::ampamp, tok::question, tok::colon)) {
      return false;
    } else if (Tok.isSimpleTypeSpecifier(sema_.getLangOpts()) || Tok.is(tok::kw_typename)) {
      has_type_ |= Next.isNot(tok::l_paren);
    }
    return true;
  }

  bool take_name(const Token &Tok, const Token &Next, bool IsOutside) {
    if (last_ == tok::period || last_ == tok::arrow || last_ == tok::coloncolon) {
      return true;
    }
    Meaning What = meaning_of(sema_, where_, Tok);
    has_type_ |= What == Meaning::Type && IsOutside && !Next.isOneOf(tok::coloncolon, tok::l_paren, tok::l_brace);
    return What != Meaning::Runtime;
  }

  Sema &sema_;
  Scope *where_;
  int angles_ = 0;
  int parentheses_ = 0;
  bool has_type_ = false;
  tok::TokenKind last_ = tok::unknown;
};

/// A member of a class that is declared but not defined, in code that is looked at again when it is instantiated.
bool is_member_of_later_class(Sema &S, Expr *Base, tok::TokenKind Op) {
  if (!S.getLangOpts().CUDA || !Base || Base->isTypeDependent() || !S.CurContext->isDependentContext()) {
    return false;
  }
  QualType Object = Base->getType();
  if (Op == tok::arrow) {
    Object = Object->getPointeeType();
  }
  const auto *Class = Object.isNull() ? nullptr : Object->getAsCXXRecordDecl();
  return Class && !Class->hasDefinition() && !isa<ClassTemplateSpecializationDecl>(Class) &&
         !Class->getInstantiatedFromMemberClass();
}

}  // namespace

#define HEL_IS_TEMPLATE_NAME                                                                                           \
  "_ZN5clang4Sema14isTemplateNameEPNS_5ScopeERNS_12CXXScopeSpecEbRKNS_13UnqualifiedIdENS_9OpaquePtrINS_8QualTypeEEEbR" \
  "NS8_INS_12TemplateNameEEERbb"
TemplateNameKind real_is_template_name(Sema *Self, Scope *Where, CXXScopeSpec &SS, bool HasKeyword,
                                       const UnqualifiedId &Name, ParsedType Object, bool Entering,
                                       Sema::TemplateTy &Template, bool &IsUnknownMember, bool Disambiguation)
    HEL_CLANG_SYMBOL("__real_", HEL_IS_TEMPLATE_NAME);
TemplateNameKind wrap_is_template_name(Sema *Self, Scope *Where, CXXScopeSpec &SS, bool HasKeyword,
                                       const UnqualifiedId &Name, ParsedType Object, bool Entering,
                                       Sema::TemplateTy &Template, bool &IsUnknownMember, bool Disambiguation)
    HEL_CLANG_SYMBOL("__wrap_", HEL_IS_TEMPLATE_NAME);

TemplateNameKind wrap_is_template_name(Sema *Self, Scope *Where, CXXScopeSpec &SS, bool HasKeyword,
                                       const UnqualifiedId &Name, ParsedType Object, bool Entering,
                                       Sema::TemplateTy &Template, bool &IsUnknownMember, bool Disambiguation) {
  TemplateNameKind Kind = real_is_template_name(Self, Where, SS, HasKeyword, Name, Object, Entering, Template,
                                                IsUnknownMember, Disambiguation);
  if (Kind != TNK_Non_template || !IsUnknownMember || HasKeyword || !Self->getLangOpts().CUDA ||
      (!Object && !SS.isSet()) || Name.getKind() != UnqualifiedIdKind::IK_Identifier ||
      !ArgumentList(*Self, Where).is_closed()) {
    return Kind;
  }
  return Self->ActOnTemplateName(Where, SS, Name.StartLocation, Name, Object, Entering, Template);
}

#define HEL_START_MEMBER                                                                                         \
  "_ZN5clang4Sema28ActOnStartCXXMemberReferenceEPNS_5ScopeEPNS_4ExprENS_14SourceLocationENS_3tok9TokenKindERNS_" \
  "9OpaquePtrINS_8QualTypeEEERb"
ExprResult real_start_member(Sema *Self, Scope *Where, Expr *Base, SourceLocation At, tok::TokenKind Op,
                             ParsedType &Object, bool &IsPseudoDestructor)
    HEL_CLANG_SYMBOL("__real_", HEL_START_MEMBER);
ExprResult wrap_start_member(Sema *Self, Scope *Where, Expr *Base, SourceLocation At, tok::TokenKind Op,
                             ParsedType &Object, bool &IsPseudoDestructor)
    HEL_CLANG_SYMBOL("__wrap_", HEL_START_MEMBER);

ExprResult wrap_start_member(Sema *Self, Scope *Where, Expr *Base, SourceLocation At, tok::TokenKind Op,
                             ParsedType &Object, bool &IsPseudoDestructor) {
  if (is_member_of_later_class(*Self, Base, Op)) {
    Object = ParsedType::make(Self->Context.DependentTy);
    IsPseudoDestructor = false;
    return Base;
  }
  return real_start_member(Self, Where, Base, At, Op, Object, IsPseudoDestructor);
}

#define HEL_MEMBER_ACCESS                                                                                 \
  "_ZN5clang4Sema21ActOnMemberAccessExprEPNS_5ScopeEPNS_4ExprENS_14SourceLocationENS_3tok9TokenKindERNS_" \
  "12CXXScopeSpecES5_RNS_13UnqualifiedIdEPNS_4DeclE"
ExprResult real_member_access(Sema *Self, Scope *Where, Expr *Base, SourceLocation At, tok::TokenKind Op,
                              CXXScopeSpec &SS, SourceLocation TemplateKW, UnqualifiedId &Member, Decl *ObjC)
    HEL_CLANG_SYMBOL("__real_", HEL_MEMBER_ACCESS);
ExprResult wrap_member_access(Sema *Self, Scope *Where, Expr *Base, SourceLocation At, tok::TokenKind Op,
                              CXXScopeSpec &SS, SourceLocation TemplateKW, UnqualifiedId &Member, Decl *ObjC)
    HEL_CLANG_SYMBOL("__wrap_", HEL_MEMBER_ACCESS);

ExprResult wrap_member_access(Sema *Self, Scope *Where, Expr *Base, SourceLocation At, tok::TokenKind Op,
                              CXXScopeSpec &SS, SourceLocation TemplateKW, UnqualifiedId &Member, Decl *ObjC) {
  if (SS.isInvalid() || !is_member_of_later_class(*Self, Base, Op)) {
    return real_member_access(Self, Where, Base, At, Op, SS, TemplateKW, Member, ObjC);
  }
  TemplateArgumentListInfo Buffer;
  DeclarationNameInfo Name;
  const TemplateArgumentListInfo *Arguments = nullptr;
  Self->DecomposeUnqualifiedId(Member, Buffer, Name, Arguments);
  return CXXDependentScopeMemberExpr::Create(Self->Context, Base, Base->getType(), Op == tok::arrow, At,
                                             SS.getWithLocInContext(Self->Context), TemplateKW, nullptr, Name,
                                             Arguments);
}

}  // namespace hel::cc
