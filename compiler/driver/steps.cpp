// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/steps.h"

#include <cstdio>
#include <ctime>

namespace hel::cc {
namespace {

double now_ms() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// A word as a shell would need it.
std::string quoted(const std::string &word) {
  bool is_plain = !word.empty() && word.find_first_of(" \t\n\"'\\$`|&;<>()*?[]{}~#!") == std::string::npos;
  if (is_plain) {
    return word;
  }
  std::string text = "\"";
  for (char c : word) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') {
      text += '\\';
    }
    text += c;
  }
  return text + "\"";
}

}  // namespace

Steps::Steps(const CommandLine &line)
    : is_dry_(line.has(Option::DryRun)), is_verbose_(line.has(Option::Verbose)), time_file_(line.value(Option::Time)) {}

void Steps::print(const std::vector<std::string> &words) const {
  if (!is_dry_ && !is_verbose_) {
    return;
  }
  std::string text = "#$";
  for (const std::string &word : words) {
    text += ' ' + quoted(word);
  }
  fprintf(stderr, "%s\n", text.c_str());
}

Steps::Timer::Timer(Steps &steps, const char *phase, std::string source, std::string output)
    : steps_(steps), phase_(phase), source_(std::move(source)), output_(std::move(output)), start_(now_ms()) {}

Steps::Timer::~Timer() {
  steps_.rows_ += format("%s , %s , %s , %s ,  , mcc , %.4f , ms\n", source_.c_str(), phase_, source_.c_str(), output_.c_str(),
                         now_ms() - start_);
}

void Steps::write_times() const {
  if (time_file_.empty() || is_dry_) {
    return;
  }
  FILE *file = time_file_ == "-" ? stdout : fopen(time_file_.c_str(), "ae");
  if (!file) {
    fprintf(stderr, "mcc: warning: the times cannot be written to '%s'\n", time_file_.c_str());
    return;
  }
  if (file == stdout || ftell(file) == 0) {
    fputs("source file name , phase name , phase input files , phase output file , arch , tool, metric , unit\n", file);
  }
  fputs(rows_.c_str(), file);
  if (file != stdout) {
    fclose(file);
  }
}

}  // namespace hel::cc
