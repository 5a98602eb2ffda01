// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/options.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hel::cc {
namespace {

std::vector<OptionRow> make_rows() {
  std::vector<OptionRow> rows;
  const char *group = "";
#define HEL_OPTION_GROUP(title) group = title;
#define HEL_OPTION(id, long_name, short_name, kind, effect, values, doc) \
  rows.push_back({Option::id, long_name, short_name, OptionKind::kind, OptionEffect::effect, values, doc, group});
#include "compiler/driver/options.def"
#undef HEL_OPTION
#undef HEL_OPTION_GROUP
  return rows;
}

const OptionRow *find_row(const std::string &name) {
  for (const OptionRow &row : option_rows()) {
    if (!name.empty() && (name == row.long_name || name == row.short_name)) {
      return &row;
    }
  }
  return nullptr;
}

/// `-Idir`: the one-letter options whose value may follow without a space.
const OptionRow *find_joined(const std::string &name) {
  for (const OptionRow &row : option_rows()) {
    if (row.kind == OptionKind::Joined && name.size() > 1 && name[0] == row.short_name[0] && row.short_name[1] == '\0') {
      bool is_number = row.id != Option::Threads || isdigit(static_cast<unsigned char>(name[1]));
      if (is_number) {
        return &row;
      }
    }
  }
  return nullptr;
}

bool is_allowed(const OptionRow &row, const std::string &value) {
  std::string all = std::string("|") + row.values + "|";
  return row.values[0] == '\0' || all.find("|" + value + "|") != std::string::npos;
}

bool starts_with(const std::string &text, const char *prefix) { return text.compare(0, strlen(prefix), prefix) == 0; }


/// Options of the host compiler that build systems give without -Xcompiler. clang itself refuses those it does not know.
bool is_host_option(const std::string &word) {
  static const char *const kWhole[] = {"-pthread", "-pipe", "-ansi", "-pedantic", "-pedantic-errors", "-rdynamic", "-static-libgcc",
                                       "-static-libstdc++", "-nostdinc++", "-nostdlib", "-static", "-s", "-P", "-H"};
  for (const char *whole : kWhole) {
    if (word == whole) {
      return true;
    }
  }
  for (const char *prefix : {"-f", "-m", "-W", "-g", "--sysroot=", "-stdlib="}) {
    if (starts_with(word, prefix) && word.size() > strlen(prefix)) {
      return true;
    }
  }
  return false;
}

/// Splits at commas; quotes and backslashes keep them. `blanks` separate too (-Xcompiler "-a -b").
std::vector<std::string> split_list(const std::string &text, bool blanks) {
  std::vector<std::string> parts;
  std::string part;
  bool has_part = false;
  char quote = '\0';
  auto flush = [&] {
    if (has_part) {
      parts.push_back(part);
    }
    part.clear();
    has_part = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '"' || text[i + 1] == '\'')) {
      part += text[++i];
      has_part = true;
    } else if (quote ? c == quote : (blanks && (c == '"' || c == '\''))) {
      quote = quote ? '\0' : c;
      has_part = true;
    } else if (!quote && (c == ',' || (blanks && (c == ' ' || c == '\t' || c == '\n')))) {
      flush();
    } else {
      part += c;
      has_part = true;
    }
  }
  flush();
  return parts;
}

/// Options that take a list but whose values may hold commas of their own.
bool keeps_commas(Option id) {
  return id == Option::Define || id == Option::Optimize || id == Option::Language || id == Option::Threads || id == Option::XClang ||
         id == Option::DependencyTarget || id == Option::DependencyQuotedTarget;
}

class Parser {
public:
  Result<CommandLine> run(const std::vector<std::string> &arguments) {
    HEL_TRY(read_words(arguments, 0));
    HEL_TRY(place_unknown());
    return std::move(line_);
  }

private:
  Result<void> read_words(const std::vector<std::string> &words, int depth) {
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string &word = words[i];
      if (word.size() > 1 && word[0] == '@') {
        HEL_TRY(read_file(word.substr(1), depth));
      } else if (word.size() < 2 || word[0] != '-') {
        line_.inputs.push_back({word, line_.value(Option::Language) == "none" ? "" : line_.value(Option::Language)});
      } else {
        HEL_TRY(read_option(words, &i, depth));
      }
    }
    return {};
  }

  Result<void> read_option(const std::vector<std::string> &words, size_t *i, int depth) {
    const std::string &word = words[*i];
    std::string name = word.substr(starts_with(word, "--") ? 2 : 1);
    std::string value;
    bool has_value = false;
    const OptionRow *row = find_row(name);
    size_t equals = name.find('=');
    if (!row && equals != std::string::npos) {
      row = find_row(name.substr(0, equals));
      if (row) {
        value = name.substr(equals + 1);
        has_value = true;
      }
    }
    if (!row && !starts_with(word, "--")) {
      row = find_joined(name);
      if (row) {
        value = name.substr(1);
        has_value = true;
      }
    }
    bool is_clang_warning = row && row->kind == OptionKind::Optional && has_value && !is_allowed(*row, value);  // -Werror=unused
    if (!row || is_clang_warning) {
      unknown_.push_back(word);
      return {};
    }
    if (row->effect == OptionEffect::Refused) {
      return HEL_FAIL_KIND(1, Unsupported, "option '%s' is not supported (%s)", word.c_str(), row->doc);
    }
    HEL_TRY(read_value(words, i, *row, &value, &has_value));
    return record(*row, value, has_value, depth);
  }

  /// Finds the value in the next word where the kind of option asks for one.
  Result<void> read_value(const std::vector<std::string> &words, size_t *i, const OptionRow &row, std::string *value, bool *has_value) {
    const std::string &word = words[*i];
    bool has_next = *i + 1 < words.size();
    if (row.kind == OptionKind::Flag) {
      if (*has_value) {
        return HEL_FAIL(1, "option '%s' takes no value", word.c_str());
      }
    } else if (row.kind == OptionKind::Boolean || row.kind == OptionKind::Optional) {
      if (!*has_value && has_next && row.values[0] != '\0' && is_allowed(row, words[*i + 1])) {
        *value = words[++*i];
        *has_value = true;
      }
    } else if (!*has_value) {
      if (!has_next) {
        return HEL_FAIL(1, "argument expected after '%s'", word.c_str());
      }
      *value = words[++*i];
      *has_value = true;
    }
    return {};
  }

  Result<void> record(const OptionRow &row, const std::string &value, bool has_value, int depth) {
    bool is_list = (row.kind == OptionKind::List || row.kind == OptionKind::Joined || row.kind == OptionKind::Optional) && has_value;
    std::vector<std::string> parts = {has_value ? value : "true"};
    if (is_list && !keeps_commas(row.id)) {
      parts = split_list(value, row.id == Option::XCompiler || row.id == Option::XLinker || row.id == Option::XPtxas ||
                                    row.id == Option::XCudafe);
    }
    for (const std::string &part : parts) {
      if (has_value && !is_allowed(row, part)) {
        return HEL_FAIL(1, "value '%s' is not defined for option '%s'", part.c_str(), row.short_name);
      }
      if (row.id == Option::OptionsFile) {
        HEL_TRY(read_file(part, depth));
      } else if (row.id == Option::XCompiler) {
        add_host_argument(part);
      } else if (row.id == Option::XLinker) {
        line_.linker_arguments.push_back(part);
      } else if (row.id == Option::XCudafe) {
        add_front_end_argument(part);
      }
      line_.add(row.id, part);
    }
    return {};
  }

  /// The vendor's front end takes --diag_suppress=NAME, or NAME as its next argument, where mcc has -diag-suppress.
  void add_front_end_argument(const std::string &word) {
    static const std::pair<const char *, Option> kOptions[] = {{"--diag_suppress", Option::DiagSuppress},
                                                               {"--diag_warning", Option::DiagWarn},
                                                               {"--diag_error", Option::DiagError}};
    size_t equals = word.find('=');
    const std::string name = front_end_option_.empty() ? word.substr(0, equals) : front_end_option_;
    const std::string value = front_end_option_.empty() && equals != std::string::npos ? word.substr(equals + 1) : word;
    const bool has_value = !front_end_option_.empty() || equals != std::string::npos;
    front_end_option_.clear();
    for (const auto &[option, id] : kOptions) {
      if (name == option && has_value) {
        line_.add(id, value);
      } else if (name == option) {
        front_end_option_ = name;
      }
    }
  }

  void add_host_argument(const std::string &word) {
    if (starts_with(word, "-Wl,")) {
      for (const std::string &part : split_list(word.substr(4), false)) {
        line_.linker_arguments.push_back(part);
      }
    } else {
      line_.host_arguments.push_back(word);
    }
  }

  Result<void> read_file(const std::string &path, int depth) {
    if (depth > 8) {
      return HEL_FAIL(1, "options files include each other: '%s'", path.c_str());
    }
    FILE *file = fopen(path.c_str(), "re");
    if (!file) {
      return HEL_FAIL(1, "options file '%s' cannot be read: %s", path.c_str(), strerror(errno));
    }
    std::string text;
    char buffer[4096];
    while (size_t n = fread(buffer, 1, sizeof buffer, file)) {
      text.append(buffer, n);
    }
    fclose(file);
    return read_words(split_words(text), depth + 1);
  }

  /// Decides about the words that no row names, once all -forward-unknown options are known.
  Result<void> place_unknown() {
    for (const std::string &word : unknown_) {
      if (line_.has(Option::ForwardToCompiler) || line_.has(Option::ForwardUnknown)) {
        add_host_argument(word);
      } else if (line_.has(Option::ForwardToLinker)) {
        line_.linker_arguments.push_back(word);
      } else if (is_host_option(word)) {
        add_host_argument(word);
      } else {
        return HEL_FAIL(1, "unknown option '%s'", word.c_str());
      }
    }
    return {};
  }

  CommandLine line_;
  std::vector<std::string> unknown_;
  std::string front_end_option_;  ///< of -Xcudafe, waiting for its value
};

}  // namespace

const std::vector<OptionRow> &option_rows() {
  static const std::vector<OptionRow> rows = make_rows();
  return rows;
}

std::string CommandLine::value(Option option, const char *absent) const {
  const std::vector<std::string> &all = values(option);
  return all.empty() ? absent : all.back();
}

bool CommandLine::is_true(Option option, bool absent) const { return value(option, absent ? "true" : "false") == "true"; }

Result<CommandLine> parse_command_line(const std::vector<std::string> &arguments) { return Parser().run(arguments); }

std::vector<std::string> split_words(const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  bool has_word = false;
  char quote = '\0';
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : '\n';
    bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!quote && is_blank) {
      if (has_word) {
        words.push_back(word);
      }
      word.clear();
      has_word = false;
    } else if (quote ? c == quote : (c == '"' || c == '\'')) {
      quote = quote ? '\0' : c;
      has_word = true;
    } else {
      bool escapes = c == '\\' && quote != '\'' && i + 1 < text.size();
      word += escapes ? text[++i] : c;
      has_word = true;
    }
  }
  return words;
}

std::string help_text() {
  std::string text = "Usage: mcc [options] file...\n";
  const char *group = "";
  for (const OptionRow &row : option_rows()) {
    if (strcmp(group, row.group) != 0) {
      group = row.group;
      text += format("\n%s\n", group);
    }
    std::string names = row.long_name[0] ? std::string("--") + row.long_name : "";
    if (row.short_name[0] && strcmp(row.long_name, row.short_name) != 0) {
      names += (names.empty() ? "-" : ", -") + std::string(row.short_name);
    }
    if (row.values[0] && strlen(row.values) < 40) {
      names += format(" {%s}", row.values);
    }
    const char *note = row.effect == OptionEffect::NoEffect ? " [no effect]" : row.effect == OptionEffect::Refused ? " [not supported]" : "";
    text += format("  %s\n        %s%s\n", names.c_str(), row.doc, note);
  }
  return text + "\nOptions of the host compiler that begin with -f, -m, -W or -g may be given directly.\n";
}

}  // namespace hel::cc
