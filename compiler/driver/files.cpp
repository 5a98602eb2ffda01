// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/files.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hel::cc {
namespace {

std::string folder_of(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

bool is_folder(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

/// The folder that a signal handler removes; one at a time in a process.
char live_folder[PATH_MAX];

void remove_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) {
    return;
  }
  while (const dirent *entry = readdir(folder)) {
    unlinkat(dirfd(folder), entry->d_name, 0);
  }
  closedir(folder);
  rmdir(path);
}

void remove_and_die(int signal_number) {
  remove_folder(live_folder);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

}  // namespace

std::string stem_of(const std::string &path) {
  size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string extension_of(const std::string &path) {
  size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? "" : name.substr(dot);
}

std::string absolute_path(const std::string &path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) ? buffer : path;
}

Result<void> check_input(const std::string &path) {
  if (is_folder(path)) {
    return HEL_FAIL(1, "'%s' is a directory", path.c_str());
  }
  if (access(path.c_str(), R_OK) != 0) {
    return HEL_FAIL(1, "%s: '%s'", errno == ENOENT ? "no such file" : strerror(errno), path.c_str());
  }
  return {};
}

Result<void> check_output(const std::string &path) {
  if (is_folder(path)) {
    return HEL_FAIL(1, "the output '%s' is a directory", path.c_str());
  }
  std::string folder = folder_of(path);
  if (!is_folder(folder)) {
    return HEL_FAIL(1, "the directory of the output '%s' does not exist", path.c_str());
  }
  bool exists = access(path.c_str(), F_OK) == 0;
  if (access(exists ? path.c_str() : folder.c_str(), W_OK) != 0) {
    return HEL_FAIL(1, "the output '%s' cannot be written: %s", path.c_str(), strerror(errno));
  }
  return {};
}

Result<void> write_file(const std::string &path, const char *bytes, size_t size) {
  struct stat info;
  bool is_special = path == "-" || (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode));
  std::string temporary = is_special ? path : path + format(".%d.tmp", static_cast<int>(getpid()));
  FILE *file = path == "-" ? stdout : fopen(temporary.c_str(), "we");
  if (!file) {
    return HEL_FAIL(1, "the output '%s' cannot be written: %s", path.c_str(), strerror(errno));
  }
  bool is_written = fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
  int error = errno;
  if (file != stdout) {
    is_written &= fclose(file) == 0;
  }
  if (!is_special && is_written && rename(temporary.c_str(), path.c_str()) != 0) {
    error = errno;
    is_written = false;
  }
  if (!is_written) {
    if (!is_special) {
      unlink(temporary.c_str());
    }
    return HEL_FAIL(1, "the output '%s' cannot be written: %s", path.c_str(), strerror(error));
  }
  return {};
}

void remove_regular_file(const std::string &path) {
  struct stat info;
  if (!path.empty() && lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
    unlink(path.c_str());
  }
}

Result<void> TemporaryFolder::create(const std::string &beside) {
  const char *wanted = getenv("TMPDIR");
  std::string base = !beside.empty() ? beside : wanted && *wanted ? wanted : "/tmp";
  std::string name = base + "/mcc-XXXXXX";
  if (!mkdtemp(name.data())) {
    return HEL_FAIL(1, "no temporary folder can be made in '%s': %s", base.c_str(), strerror(errno));
  }
  path_ = name;
  snprintf(live_folder, sizeof live_folder, "%s", name.c_str());
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    signal(number, remove_and_die);
  }
  return {};
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) {
    remove_folder(path_.c_str());
    live_folder[0] = '\0';
  }
}

}  // namespace hel::cc
