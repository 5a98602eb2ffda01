// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/diagnostic_numbers.h"

namespace hel::cc {

const char *clang_warning_of(std::string_view number_or_name) {
  struct Row {
    std::string_view number, name;
    const char *warning;
  };
  static constexpr Row kRows[] = {
      {"68", "integer_sign_change", "sign-conversion"},
      {"111", "code_is_unreachable", "unreachable-code"},
      {"128", "loop_not_reachable", "unreachable-code"},
      {"174", "expr_has_no_effect", "unused-value"},
      {"177", "declared_but_not_referenced", "unused"},
      {"186", "unsigned_compare_with_zero", "tautological-compare"},
      {"191", "useless_type_qualifier_on_return_type", "ignored-qualifiers"},
      {"549", "used_before_set", "uninitialized"},
      {"550", "set_but_not_used", "unused-but-set-variable"},
      {"611", "partial_override", "overloaded-virtual"},
      {"940", "missing_return_statement", "return-type"},
      {"997", "hides_virtual_function", "overloaded-virtual"},
      {"1215", "deprecated_entity_with_custom_message", "deprecated-declarations"},
      {"1444", "deprecated_entity", "deprecated-declarations"},
      {"2361", "narrowing_conversion", "narrowing"},
  };
  for (const Row &row : kRows) {
    if (number_or_name == row.number || number_or_name == row.name) {
      return row.warning;
    }
  }
  return nullptr;
}

}  // namespace hel::cc
