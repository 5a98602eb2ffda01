// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/cccl.h"

#include "base/settings.h"

#include <cstdlib>
#include <glob.h>
#include <unistd.h>

namespace hel::cc {
namespace {

bool exists(const std::string &path) { return access(path.c_str(), R_OK) == 0; }

/// A folder with another toolkit's runtime headers beside CCCL would put these before ours.
bool has_cccl(const std::string &folder) {
  return exists(folder + "/cuda/std/version") && exists(folder + "/thrust/version.h") && !exists(folder + "/cuda_runtime.h");
}

/// What is named may be the folder itself or a package around it.
std::string folder_named(const std::string &place) {
  for (const char *inside : {"", "/include", "/include/cccl", "/cccl"}) {
    if (has_cccl(place + inside)) {
      return place + inside;
    }
  }
  return "";
}

/// The first match of a pattern that has CCCL.
std::string installed_as(const std::string &pattern) {
  glob_t matches = {};
  std::string found;
  if (glob(pattern.c_str(), 0, nullptr, &matches) == 0) {
    for (size_t i = 0; i < matches.gl_pathc && found.empty(); ++i) {
      found = has_cccl(matches.gl_pathv[i]) ? matches.gl_pathv[i] : "";
    }
  }
  globfree(&matches);
  return found;
}

std::string environment(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

/// Where packages of the system and of Python put it.
std::string find_installed() {
  std::vector<std::string> patterns;
  std::string home = environment("HOME");
  for (const std::string &root : {environment("VIRTUAL_ENV"), environment("CONDA_PREFIX"), home.empty() ? "" : home + "/.local",
                                  std::string("/usr/local"), std::string("/usr")}) {
    if (root.empty()) {
      continue;
    }
    patterns.push_back(root + "/include/cccl");
    for (const char *packages : {"/lib/python3*/site-packages", "/lib/python3*/dist-packages", "/lib/python3/dist-packages"}) {
      for (const char *inside : {"/nvidia/cuda_cccl/include", "/nvidia/cu1*/include/cccl", "/cuda/cccl/headers/include"}) {
        patterns.push_back(root + packages + inside);
      }
    }
  }
  patterns.push_back("/usr/local/cuda/include/cccl");
  for (const std::string &pattern : patterns) {
    std::string found = installed_as(pattern);
    if (!found.empty()) {
      return found;
    }
  }
  return "";
}

}  // namespace

Result<std::string> find_cccl(const Toolkit &toolkit, const CommandLine &line) {
  bool by_option = line.has(Option::Cccl);
  std::string named = by_option ? line.value(Option::Cccl) : settings().cccl;
  if (named == "none") {
    return std::string();
  }
  if (!named.empty()) {
    std::string folder = folder_named(named);
    if (folder.empty()) {
      return HEL_FAIL(1, "%s names %s, where CCCL (thrust/version.h, cuda/std/version) is not", by_option ? "--cccl" : "HELICON_CCCL",
                      named.c_str());
    }
    return folder;
  }
  return has_cccl(toolkit.include() + "/cccl") ? toolkit.include() + "/cccl" : find_installed();
}

}  // namespace hel::cc
