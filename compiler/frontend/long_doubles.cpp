// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long double in device code: clang refuses a type that the target calculates with in no way. Here the type keeps the
// host's layout, and the stage calculate_in_doubles gives its values double precision, as nvcc does.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Type.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

namespace hel::cc {

#define HEL_TYPE_SUPPORT "_ZN5clang4Sema16checkTypeSupportENS_8QualTypeENS_14SourceLocationEPNS_9ValueDeclE"
void real_type_support(Sema *S, QualType Type, SourceLocation Loc, ValueDecl *D)
    HEL_CLANG_SYMBOL("__real_", HEL_TYPE_SUPPORT);
void wrap_type_support(Sema *S, QualType Type, SourceLocation Loc, ValueDecl *D)
    HEL_CLANG_SYMBOL("__wrap_", HEL_TYPE_SUPPORT);

static bool is_long_double(QualType Type) { return Type->isSpecificBuiltinType(BuiltinType::LongDouble); }

static bool has_long_double(QualType Type) {
  const auto *Function = Type->getAs<FunctionProtoType>();
  return is_long_double(Type) || (Function && (is_long_double(Function->getReturnType()) ||
                                               llvm::any_of(Function->param_types(), is_long_double)));
}

void wrap_type_support(Sema *S, QualType Type, SourceLocation Loc, ValueDecl *D) {
  if (!is_device_pass(*S) || !has_long_double(Type)) {
    return real_type_support(S, Type, Loc, D);
  }
  if (D && isa<VarDecl>(D) && !is_hidden(*S, Loc, false) && is_first_mention(D)) {
    S->CUDA().DiagIfDeviceCode(
        Loc, S->Diags.getCustomDiagID(hook_level(*S, false), "long double is treated as double in device code"));
  }
}

}  // namespace hel::cc
