// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a command as they happen: printed for -v and --dryrun, timed for -time.
#pragma once

#include "compiler/driver/options.h"

#include <string>
#include <vector>

namespace hel::cc {

class Steps {
public:
  explicit Steps(const CommandLine &line);
  /// --dryrun: steps are printed and not done.
  bool is_dry() const { return is_dry_; }
  /// Prints "#$ word word …" when the user wants to see it.
  void print(const std::vector<std::string> &words) const;
  /// Measures from here to its end; -time writes it down.
  class Timer {
  public:
    Timer(Steps &steps, const char *phase, std::string source, std::string output);
    ~Timer();
    Timer(const Timer &) = delete;
    Timer &operator=(const Timer &) = delete;

  private:
    Steps &steps_;
    const char *phase_;
    std::string source_;
    std::string output_;
    double start_;
  };
  /// Appends the table to the file that -time names.
  void write_times() const;

private:
  bool is_dry_;
  bool is_verbose_;
  std::string time_file_;
  std::string rows_;
};

}  // namespace hel::cc
