// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// helicon-bench: what `./dev bench` runs. --check compares results of tiny problems; without it rows are timed too.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/harness/measure.h"

using namespace hel::bench;

namespace {

struct Options {
  std::string word;
  std::string json;
  bool check_only = false;
  Plan plan;
};

Options parse(int count, char **arguments) {
  Options options;
  for (int i = 1; i < count; i++) {
    const std::string argument = arguments[i];
    if (argument == "--check") {
      options.check_only = true;
    } else if (argument == "--rounds" && i + 1 < count && atoi(arguments[i + 1]) > 0) {
      options.plan.rounds = atoi(arguments[++i]);
    } else if (argument == "--json" && i + 1 < count) {
      options.json = arguments[++i];
    } else if (argument[0] != '-' && options.word.empty()) {
      options.word = argument;
    } else {
      fprintf(stderr, "bench: [word] [--check] [--rounds N] [--json FILE], not '%s'\n", arguments[i]);
      exit(2);
    }
  }
  return options;
}

const char *verdict(const Row &row, double figure) {
  return figure <= row.stretch ? "stretch met" : figure <= row.must ? "must met" : "missed";
}

void print(const Outcome &outcome) {
  const Row &row = *outcome.row;
  const bool ratio = row.unit == Unit::Ratio;
  char opencl[32] = "", limit[32] = "";
  if (outcome.opencl) {
    snprintf(opencl, sizeof opencl, "%.1f", outcome.opencl->median);
  }
  if (outcome.limit) {
    snprintf(limit, sizeof limit, "%.0f%%", *outcome.limit * 100);
  }
  const char *format = ratio ? "%-20s %9.2f [%7.2f, %7.2f] %8.2f   %6.2f / %-6.2f %-11s %6s %6s\n"
                             : "%-20s %6.0f ns [%7.0f, %7.0f] %8.0f   %6.0f / %-6.0f %-11s %6s %6s\n";
  printf(format, row.name.data(), outcome.figure.median, outcome.figure.low, outcome.figure.high, outcome.best,
         row.must, row.stretch, verdict(row, outcome.figure.median), limit, opencl);
  fflush(stdout);
}

void write_json(FILE *file, const Outcome &outcome) {
  const Row &row = *outcome.row;
  fprintf(
      file,
      "{\"row\": \"%s\", \"unit\": \"%s\", \"low\": %g, \"median\": %g, \"high\": %g, \"must\": %g, \"stretch\": %g, "
      "\"verdict\": \"%s\", \"kernel\": %d, \"limit\": %g, \"opencl\": %g}\n",
      row.name.data(), row.unit == Unit::Ratio ? "ratio" : "ns", outcome.figure.low, outcome.figure.median,
      outcome.figure.high, row.must, row.stretch, verdict(row, outcome.figure.median), row.kernel,
      outcome.limit.value_or(0), outcome.opencl ? outcome.opencl->median : 0);
}

/// Every row must have the sides that its unit needs.
bool complete(const Row &row) {
  const bool there = find_side(row.name, Who::Helicon) != nullptr &&
                     (row.unit == Unit::Nanoseconds || find_side(row.name, Who::Hand) != nullptr);
  if (!there) {
    fprintf(stderr, "bench: row %s lacks a side\n", row.name.data());
  }
  return there;
}

}  // namespace

int main(int count, char **arguments) {
  // Idle OpenMP threads must not take the cores from the next side for long; this is read when OpenMP starts.
  setenv("KMP_BLOCKTIME", "1", 0);
  const Options options = parse(count, arguments);
  if (!opencl::available()) {
    printf("no OpenCL for a CPU here: the PoCL sides are left out\n");
  }
  const Limits limits = measure_limits(options.check_only);
  if (!options.check_only) {
    printf("limits of this run: %.1f GB/s, %.0f Gflop/s\n", limits.bytes_per_second * 1e-9,
           limits.flops_per_second * 1e-9);
    printf("%-20s %9s [%16s] %8s   %-15s %-11s %6s %6s\n", "row", "hel/hand", "quartiles", "fastest", "must / stretch",
           "", "limit", "pocl/h");
  }
  FILE *json = options.json.empty() ? nullptr : fopen(options.json.c_str(), "w");
  int failures = 0, ran = 0;
  for (const Row *row : rows()) {
    if (row->name.find(options.word) == std::string_view::npos) {
      continue;
    }
    ran++;
    if (!complete(*row)) {
      failures++;
      continue;
    }
    const std::string wrong = check_results(*row, options.check_only);
    if (!wrong.empty()) {
      printf("%-20s WRONG: %s\n", row->name.data(), wrong.c_str());
      failures++;
    } else if (options.check_only) {
      printf("%-20s right\n", row->name.data());
    } else {
      const Outcome outcome = measure(*row, options.plan, limits);
      print(outcome);
      if (json != nullptr) {
        write_json(json, outcome);
      }
    }
  }
  if (json != nullptr) {
    fclose(json);
  }
  if (ran == 0) {
    fprintf(stderr, "bench: no row's name has '%s'\n", options.word.c_str());
    return 2;
  }
  return failures == 0 ? 0 : 1;
}
