// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The few rules of clang's CUDA mode that differ from nvcc's are corrected by link-time wrapping (`--wrap`) of the
// clang functions that decide them; the list of symbols is in frontend/CMakeLists.txt, the corrections are in
// hooks.cpp, dependent_names.cpp, asm_statements.cpp, declarations.cpp, execution_spaces.cpp, extended_lambdas.cpp,
// external_variables.cpp, jumps.cpp, long_doubles.cpp, memory_spaces.cpp, restrictions.cpp, template_arguments.cpp and
// void_pointers.cpp. This header is what the rest of the front end sees of it.
//
// clang-format off
//   hook                       corrects
//   CheckCall                  a __host__ function called from a __host__ __device__ one: warning, the call traps;
//                              template arguments that kernels cannot have
//   checkAllowedInitializer    a __shared__ variable with a constructor: warning, it stays uninitialised; forbidden variables
//   checkTargetOverload        forbidden functions
//   ActOnBin/Unary/PostfixOp   writes to constant memory; arithmetic on pointers to void
//   ActOnGCCAsmStmt            "%laneid" in PTX asm: a single % before a name; constraint "C"
//   CreateTargetInfo           long double has the host's size and alignment in device code
//   diagnoseLangOpts           __attribute__((managed)) is not for HIP alone
//   getLLVMSyncScopeID         atomics of device code keep their scope
//   ActOn/BuildLambdaExpr      extended lambdas: forbidden ones; a marker type for __nv_is_extended_*_lambda_closure_type
//   ActOnAddrLabel             addresses of labels in device code
//   isTemplateName             t.f<3>(x) without `template`
//   ActOnStart/MemberAccess    members of an incomplete class in a template
//   ActOnDeclarator            `extern __shared__` variables that have a size
//   ActOnParamDeclarator       parameters with a memory space
//   ActOnFinishCXXMemberSpecification, ActOnEnumBody
//                              `struct {...} __constant__ x`: a memory space behind the type is the variable's
//   ActOnEndOfTranslationUnit  `extern __device__ T x` that nothing defines is a definition
//   IdentifyPreference         functions of the other side in operands that are not evaluated
//   ActOnExecConfigExpr        launches in lambdas of relocatable host code
//   DiagnoseUseOfDecl          deduced return types of the other side
//   checkTypeSupport           long double in device code
//   DiagnoseInvalidJumps       switches of device code that jump past initialisations
//   ActOnUnaryExprOrTypeTrait  sizeof(void)
//   CheckLoopHintExpr          unroll counts that make no sense
//   evaluateValue/AsRValue, isUsableInConstantExpressions
//                              what points to a managed variable is initialised when the program starts
// clang-format on
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Decl;
class IdentifierInfo;
class VarDecl;
}  // namespace clang

namespace hel::cc {

/// What the command line says about warnings that only the hooks give, and about who sees which macros.
struct HookRules {
  bool hides_host_calls = false;    ///< -diag-suppress 20014
  bool refuses_host_calls = false;  ///< -Werror cross-execution-space-call
  bool hides_shared_inits = false;  ///< -diag-suppress 20054
  bool hides_externals = false;     ///< -diag-suppress 20044
  int arch = 0;                     ///< NN of the sm_NN that device code is compiled for, whatever clang is told
  std::string cuda_code;            ///< MUSA code: the folder of headers that are CUDA code (CCCL); may be empty
  std::vector<std::string> macros_of_cuda_code;  ///< MUSA code: what only those headers see
};

/// The hooks are free functions: a pass registers here what they obey and what they learn. One pass runs at a time in a
/// process.
struct HookState {
  HookRules rules;
  std::set<std::string> host_calls;  ///< mangled names of host functions that device code calls
  std::vector<HookRules> kept;       ///< by `#pragma nv_diagnostic push`
  std::set<const void *> mentioned;  ///< declarations that need no second warning
  std::vector<clang::VarDecl *> externals;  ///< `extern` variables of the device that were declared
  /// Types whose definition a memory space follows, and the attribute's name.
  std::map<const clang::Decl *, std::vector<clang::IdentifierInfo *>> spaces;
};

void set_hook_state(HookState *state);

/// What the pass that runs was told.
const HookRules &hook_rules();

/// Hides or shows the warning of a hook that has this number of nvcc, from here on.
void set_hook_warning(const std::string &number, bool hidden);
void push_hook_warnings();
void pop_hook_warnings();

}  // namespace hel::cc
