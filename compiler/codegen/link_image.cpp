// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/link_image.h"

#include "compiler/codegen/stub_library.h"
#include "compiler/compile.h"

#include "base/mutex.h"

#include "compiler/ir/llvm_headers.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

namespace hel::cc {
namespace {

/// A file without a name, for lld to read.
class MemoryFile {
public:
  MemoryFile() = default;
  MemoryFile(MemoryFile &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~MemoryFile() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  bool write_all(llvm::ArrayRef<char> bytes) {
    fd_ = memfd_create("helicon-object", MFD_CLOEXEC);
    while (fd_ >= 0 && !bytes.empty()) {
      ssize_t done = write(fd_, bytes.data(), bytes.size());
      if (done <= 0) {
        return false;
      }
      bytes = bytes.drop_front(static_cast<size_t>(done));
    }
    return fd_ >= 0;
  }
  std::string path() const { return format("/proc/self/fd/%d", fd_); }

private:
  int fd_ = -1;
};

/// lld keeps its state in globals.
Mutex &lld_mutex() {
  static Mutex mutex;
  return mutex;
}

Result<void> run_lld(const std::vector<std::string> &arguments) {
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments) {
    pointers.push_back(argument.c_str());
  }
  std::string out, problems;
  llvm::raw_string_ostream out_stream(out), problem_stream(problems);
  Lock lock(lld_mutex());
  bool linked = lld::elf::link(pointers, out_stream, problem_stream, /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (!linked) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "cannot link the device image: %s", problems.c_str());
  }
  return {};
}

Result<std::vector<uint8_t>> read_and_remove(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  llvm::sys::fs::remove(path);
  if (!buffer) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "cannot read %s: %s", path.c_str(),
                         buffer.getError().message().c_str());
  }
  llvm::StringRef bytes = (*buffer)->getBuffer();
  return std::vector<uint8_t>(bytes.bytes_begin(), bytes.bytes_end());
}

}  // namespace

Result<std::vector<uint8_t>> link_image(llvm::ArrayRef<llvm::ArrayRef<char>> objects) {
  llvm::SmallString<64> output;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("helicon-image", "so", output)) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "cannot make a temporary file: %s", error.message().c_str());
  }
  std::vector<std::string> arguments = {"ld.lld", "-shared", "-Bsymbolic", "--threads=1", "-o", output.str().str(), "-z", "now",
                                        "-z", "noexecstack", "--hash-style=gnu", "--no-as-needed", "--build-id=none"};
  std::vector<llvm::SmallVector<char, 0>> stub = {make_stub_library("libhelicon.so.0")};
  std::vector<llvm::ArrayRef<char>> inputs(objects.begin(), objects.end());
  inputs.push_back(stub[0]);
  std::vector<MemoryFile> files(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!files[i].write_all(inputs[i])) {
      return HEL_FAIL_KIND(CompileCode::Internal, Internal, "no memory for a linker input of %zu bytes", inputs[i].size());
    }
    arguments.push_back(files[i].path());
  }
  HEL_TRY(run_lld(arguments));
  return read_and_remove(output.str().str());
}

}  // namespace hel::cc
