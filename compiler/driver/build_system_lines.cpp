// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/build_system_lines.h"

#include <cstdio>

namespace hel::cc {
namespace {

bool is_shown(const CommandLine &line) { return line.has(Option::Verbose) || line.has(Option::DryRun); }

}  // namespace

void print_toolkit_lines(const CommandLine &line, const Toolkit &toolkit) {
  if (!is_shown(line)) {
    return;
  }
  fprintf(stderr,
          "#$ TOP=%s\n"
          "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n"
          "#$ INCLUDES=\"-I%s\"\n"
          "#$ LIBRARIES=\"-L%s\"\n",
          toolkit.root.c_str(), toolkit.root.c_str(), toolkit.include().c_str(), toolkit.lib().c_str());
}

void print_link_line(const CompileSettings &settings, const std::vector<std::string> &objects, const std::string &output) {
  if (!is_shown(settings.line)) {
    return;
  }
  std::string words;
  for (const std::string &object : objects) {
    words += " \"" + object + "\"";
  }
  std::string runtime = settings.line.value(Option::Cudart, "static");
  if (runtime != "none") {
    words += std::string(" -lcudadevrt ") + (runtime == "shared" ? "-lcudart" : "-lcudart_static");
  }
  fprintf(stderr,
          "#$ ARCHITECTURE=-arch compute_%s\n"
          "# linked by mcc itself; the host compiler's command would be\n"
          "#$ %s \"-L%s\"%s -lrt -lpthread -ldl -o \"%s\"\n",
          settings.arch.clang_cpu.substr(settings.arch.clang_cpu.find('_') + 1).c_str(),
          settings.line.value(Option::CompilerBindir, "g++").c_str(), settings.toolkit.lib().c_str(), words.c_str(), output.c_str());
}

}  // namespace hel::cc
