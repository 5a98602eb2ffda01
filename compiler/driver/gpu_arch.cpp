// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/gpu_arch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hel::cc {
namespace {

constexpr int kArchs[] = {75, 80, 86, 87, 88, 89, 90, 100, 110, 103, 120, 121};
constexpr int kOldArchs[] = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72};
constexpr int kMusaArchs[] = {10, 21, 22, 31};
constexpr int kNativeArch = 90;  // the compute capability that the CPU device reports

template <size_t N> bool is_in(const int (&list)[N], int number) {
  return std::find(list, list + N, number) != list + N;
}

struct Named {
  int number = 0;       ///< NN
  char variant = '\0';  ///< 'a' or 'f'
  bool is_musa = false;
};

Result<Named> parse_name(const std::string &text) {
  Named named;
  if (text == "native" || text == "all" || text == "all-major") {
    named.number = kNativeArch;
    return named;
  }
  size_t underscore = text.find('_');
  std::string family = text.substr(0, underscore == std::string::npos ? 0 : underscore);
  const char *digits = underscore == std::string::npos ? "" : text.c_str() + underscore + 1;
  char *end = nullptr;
  named.number = static_cast<int>(strtol(digits, &end, 10));
  named.is_musa = family == "mp";
  if ((*end == 'a' || *end == 'f') && named.number >= 90 && !named.is_musa) {
    named.variant = *end++;
  }
  bool is_family = family == "sm" || family == "compute" || family == "lto" || named.is_musa;
  bool is_number =
      named.is_musa ? is_in(kMusaArchs, named.number) : is_in(kArchs, named.number) || is_in(kOldArchs, named.number);
  if (!is_family || !is_number || *end != '\0' || end == digits) {
    return HEL_FAIL(1, "unsupported gpu architecture '%s'", text.c_str());
  }
  return named;
}

/// arch=compute_90,code=[sm_90,compute_90] in its spellings; yields the arch, checks the codes.
Result<Named> parse_gencode(const std::string &text) {
  Named arch;
  bool has_arch = false;
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (c == '[' || c == ']' || c == '"' || c == '\'' || c == '\\') {
      continue;
    }
    if (c != ',') {
      word += c;
      continue;
    }
    bool is_arch = word.compare(0, 5, "arch=") == 0;
    std::string name = is_arch ? word.substr(5) : word.compare(0, 5, "code=") == 0 ? word.substr(5) : word;
    if (!name.empty()) {
      Named named = HEL_TRY(parse_name(name));
      arch = is_arch ? named : arch;
      has_arch |= is_arch;
    }
    word.clear();
  }
  if (!has_arch) {
    return HEL_FAIL(1, "option '-gencode' names no architecture: '%s'", text.c_str());
  }
  return arch;
}

/// The highest that the CPU device runs as, else the lowest above it.
const Named &choose(const std::vector<Named> &all) {
  const Named *best = &all.front();
  for (const Named &named : all) {
    bool fits = named.number <= kNativeArch;
    bool best_fits = best->number <= kNativeArch;
    bool is_better = fits != best_fits ? fits : fits ? named.number > best->number : named.number < best->number;
    bool is_richer = named.number == best->number && best->variant == '\0';
    best = is_better || is_richer ? &named : best;
  }
  return *best;
}

Result<void> collect(const CommandLine &line, std::vector<Named> *cuda, std::vector<Named> *musa) {
  auto add = [&](const Named &named) { (named.is_musa ? musa : cuda)->push_back(named); };
  if (line.has(Option::Arch)) {
    add(HEL_TRY(parse_name(line.value(Option::Arch))));
  }
  for (const std::string &text : line.values(Option::OffloadArch)) {
    add(HEL_TRY(parse_name(text)));
  }
  for (const std::string &text : line.values(Option::Gencode)) {
    add(HEL_TRY(parse_gencode(text)));
  }
  for (const std::string &text : line.values(Option::Code)) {
    HEL_TRY(parse_name(text));
  }
  return {};
}

}  // namespace

Result<DeviceArch> choose_arch(const CommandLine &line) {
  std::vector<Named> cuda;
  std::vector<Named> musa;
  HEL_TRY(collect(line, &cuda, &musa));
  DeviceArch arch;
  if (!cuda.empty()) {
    const Named &chosen = choose(cuda);
    arch.number = chosen.number * 10;
    arch.variant = chosen.variant;
    // Built-ins of every architecture up to the CPU device's are offered to all code that may run on it.
    int cpu = std::max(chosen.number, kNativeArch);
    std::string variant = chosen.variant ? std::string(1, chosen.variant) : "";
    arch.ptx_target = format("sm_%d%s", std::max(chosen.number, kArchs[0]), variant.c_str());
    // clang has no name for a family; its built-ins are the architecture's.
    arch.clang_cpu = format("sm_%d%s", cpu, cpu == chosen.number && chosen.variant == 'a' ? "a" : "");
    arch.listed.clear();
    for (const Named &named : cuda) {
      arch.listed.push_back(named.number * 10);
      if (is_in(kOldArchs, named.number)) {
        arch.is_old = true;
        arch.old_name = format("sm_%d", named.number);
      }
    }
    std::sort(arch.listed.begin(), arch.listed.end());
    arch.listed.erase(std::unique(arch.listed.begin(), arch.listed.end()), arch.listed.end());
  }
  if (!musa.empty()) {
    int best = 0;
    for (const Named &named : musa) {
      best = std::max(best, named.number);
    }
    if (best < 31) {
      return HEL_FAIL_KIND(
          1, Unsupported,
          "architecture 'mp_%d' is not supported: its warps have 128 threads, those of the CPU device 32", best);
    }
    arch.musa_number = best * 10;
  }
  return arch;
}

std::string list_archs(const char *prefix) {
  std::string text;
  for (int number : kArchs) {
    text += format("%s%d\n", prefix, number);
  }
  return text;
}

}  // namespace hel::cc
