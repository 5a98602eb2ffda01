// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/link_job.h"

#include "compiler/driver/device_link.h"

#include "lld/Common/Driver.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

LLD_HAS_DRIVER(elf)

namespace hel::cc {
namespace {

/// The objects, and the static libraries that `-l` stands for: where a folder has the shared one too, the linker takes
/// that, which has been linked.
std::vector<std::string> with_libraries(const CommandLine &line, std::vector<std::string> objects) {
  for (const std::string &name : line.values(Option::Library)) {
    for (const std::string &folder : line.values(Option::LibraryPath)) {
      const std::string path = folder + "/lib" + name;
      if (llvm::sys::fs::exists(path + ".so")) {
        break;
      }
      if (llvm::sys::fs::exists(path + ".a")) {
        objects.push_back(path + ".a");
        break;
      }
    }
  }
  return objects;
}

}  // namespace

Result<void> link_objects(const CompileSettings &settings, const std::vector<std::string> &objects, const std::string &output,
                          Steps *steps) {
  std::vector<std::string> words = HEL_TRY(linker_arguments(settings.toolkit, link_arguments(settings, objects, output)));
  steps->print(words);
  if (steps->is_dry()) {
    return {};
  }
  HEL_TRY(check_device_link(with_libraries(settings.line, objects)));
  Steps::Timer timer(*steps, "link", objects.empty() ? "" : objects.front(), output);
  std::vector<const char *> argv;
  for (const std::string &word : words) {
    argv.push_back(word.c_str());
  }
  lld::Result result = lld::lldMain(argv, llvm::outs(), llvm::errs(), {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0) {
    unlink(output.c_str());
    return HEL_FAIL(1, "linking '%s' failed", output.c_str());
  }
  return {};
}

Result<void> write_library(const std::vector<std::string> &objects, const std::string &output, Steps *steps) {
  std::vector<std::string> words = {"ar", "cr", output};
  words.insert(words.end(), objects.begin(), objects.end());
  steps->print(words);
  if (steps->is_dry()) {
    return {};
  }
  std::vector<llvm::NewArchiveMember> members;
  for (const std::string &object : objects) {
    llvm::Expected<llvm::NewArchiveMember> member = llvm::NewArchiveMember::getFile(object, /*Deterministic=*/true);
    if (!member) {
      return HEL_FAIL(1, "'%s' cannot be put into a library: %s", object.c_str(), llvm::toString(member.takeError()).c_str());
    }
    member->MemberName = llvm::sys::path::filename(object);
    members.push_back(std::move(*member));
  }
  llvm::Error error = llvm::writeArchive(output, members, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_GNU,
                                         /*Deterministic=*/true, /*Thin=*/false);
  if (error) {
    return HEL_FAIL(1, "the library '%s' cannot be written: %s", output.c_str(), llvm::toString(std::move(error)).c_str());
  }
  return {};
}

}  // namespace hel::cc
