// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line as data. The rows are in options.def.
#pragma once

#include "base/result.h"

#include <string>
#include <vector>

namespace hel::cc {

enum class Option {
#define HEL_OPTION_GROUP(title)
#define HEL_OPTION(id, long_name, short_name, kind, effect, values, doc) id,
#include "compiler/driver/options.def"
#undef HEL_OPTION
#undef HEL_OPTION_GROUP
  Count
};

enum class OptionKind { Flag, Boolean, Value, List, Joined, Optional };
enum class OptionEffect { Acts, NoEffect, Refused };

struct OptionRow {
  Option id;
  const char *long_name;
  const char *short_name;
  OptionKind kind;
  OptionEffect effect;
  const char *values;
  const char *doc;
  const char *group;
};

/// The table, in the order of options.def.
const std::vector<OptionRow> &option_rows();

struct InputFile {
  std::string path;
  std::string language;  ///< of -x; empty: by the file's ending
};

class CommandLine {
public:
  bool has(Option option) const { return !values(option).empty(); }
  /// The last value of an option, or `absent`.
  std::string value(Option option, const char *absent = "") const;
  const std::vector<std::string> &values(Option option) const { return values_[static_cast<size_t>(option)]; }
  /// A Boolean option.
  bool is_true(Option option, bool absent) const;
  void add(Option option, std::string value) { values_[static_cast<size_t>(option)].push_back(std::move(value)); }

  std::vector<InputFile> inputs;
  std::vector<std::string> host_arguments;    ///< -Xcompiler's, and host options given directly
  std::vector<std::string> linker_arguments;  ///< -Xlinker's and -Wl's

private:
  std::vector<std::string> values_[static_cast<size_t>(Option::Count)];
};

/// Reads `arguments` (without the program's name). NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS are the caller's to add.
Result<CommandLine> parse_command_line(const std::vector<std::string> &arguments);

/// Splits a text as a shell would: blanks separate, quotes and backslashes keep together.
std::vector<std::string> split_words(const std::string &text);

/// The text of --help.
std::string help_text();

}  // namespace hel::cc
