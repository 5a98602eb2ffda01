// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that cannot be template arguments of kernels and device variables: those that code outside of a host function
// or class has no name for.
#include "compiler/frontend/wrapping.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace hel::cc {
namespace {

bool is_of_device(const FunctionDecl *F) { return F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>(); }

StringRef fault_of_declared(ASTContext &Ctx, const TagDecl *Tag) {
  const auto *Around = dyn_cast_or_null<FunctionDecl>(Tag->getParentFunctionOrMethod());
  if (Around && is_of_device(Around)) {
    return "";
  }
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Tag); Class && Class->isLambda()) {
    return is_extended_lambda(Ctx, Class) || has_explicit<CUDADeviceAttr>(Class->getLambdaCallOperator())
               ? ""
               : "the closure type of a host lambda";
  }
  if (Around) {
    return "a type that is local to a host function";
  }
  if (!Tag->hasNameForLinkage()) {
    return "an unnamed type";
  }
  return Tag->getAccess() == AS_private || Tag->getAccess() == AS_protected ? "a private or protected member type" : "";
}

StringRef fault_of_arguments(ASTContext &Ctx, ArrayRef<TemplateArgument> Arguments);

StringRef fault_of_type(ASTContext &Ctx, QualType Type) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  if (QualType Pointee = Type->getPointeeType(); !Pointee.isNull()) {
    return fault_of_type(Ctx, Pointee);
  }
  if (const auto *Array = dyn_cast<ArrayType>(Type.getTypePtr())) {
    return fault_of_type(Ctx, Array->getElementType());
  }
  if (const auto *Function = dyn_cast<FunctionProtoType>(Type.getTypePtr())) {
    StringRef Fault = fault_of_type(Ctx, Function->getReturnType());
    for (unsigned I = 0; I < Function->getNumParams() && Fault.empty(); ++I) {
      Fault = fault_of_type(Ctx, Function->getParamType(I));
    }
    return Fault;
  }
  const TagDecl *Tag = Type->getAsTagDecl();
  if (!Tag) {
    return "";
  }
  if (StringRef Fault = fault_of_declared(Ctx, Tag); !Fault.empty()) {
    return Fault;
  }
  const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Tag);
  return Instance ? fault_of_arguments(Ctx, Instance->getTemplateArgs().asArray()) : "";
}

StringRef fault_of_arguments(ASTContext &Ctx, ArrayRef<TemplateArgument> Arguments) {
  for (const TemplateArgument &Argument : Arguments) {
    StringRef Fault = Argument.getKind() == TemplateArgument::Type ? fault_of_type(Ctx, Argument.getAsType())
                      : Argument.getKind() == TemplateArgument::Pack
                          ? fault_of_arguments(Ctx, Argument.getPackAsArray())
                          : "";
    if (!Fault.empty()) {
      return Fault;
    }
  }
  return "";
}

void check(Sema &S, SourceLocation At, ArrayRef<TemplateArgument> Arguments, StringRef Of) {
  if (StringRef Fault = fault_of_arguments(S.Context, Arguments); !Fault.empty()) {
    refuse(S, At, (Fault + " cannot be a template argument of a " + Of).str());
  }
}

}  // namespace

void check_kernel_arguments(Sema &S, SourceLocation At, const FunctionDecl *Kernel) {
  if (const TemplateArgumentList *Arguments = Kernel->getTemplateSpecializationArgs()) {
    check(S, At, Arguments->asArray(), "__global__ function");
  }
}

void check_variable_arguments(Sema &S, const VarDecl *V) {
  if (const auto *Instance = dyn_cast<VarTemplateSpecializationDecl>(V)) {
    SourceLocation At = Instance->getPointOfInstantiation();
    check(S, At.isValid() ? At : V->getLocation(), Instance->getTemplateArgs().asArray(), "device variable");
  }
}

}  // namespace hel::cc
