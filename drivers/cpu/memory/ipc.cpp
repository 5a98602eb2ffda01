// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/ipc.h"

#include "base/mutex.h"
#include "drivers/cpu/memory/registry.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <map>

namespace hel::cpu {
namespace {

constexpr size_t kPage = 4096;

struct SharedFile {
  int file;
  uint64_t serial;
};

/// The files of this process, by the first of their pages.
struct SharedFiles {
  Mutex mutex;
  std::map<uintptr_t, SharedFile> by_pages HEL_GUARDED_BY(mutex);
};

SharedFiles &shared_files() {
  static SharedFiles *const files = new SharedFiles;  // never destroyed: threads may outlive main()
  return *files;
}

std::atomic<uint64_t> next_serial{1};

Result<int> make_file(size_t bytes) {
  int file = memfd_create("helicon-ipc", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    if (file >= 0) {
      close(file);
    }
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "no shared memory: %s", std::strerror(errno));
  }
  return file;
}

/// Moves the contents of the pages into a file and maps that in their place.
Result<SharedFile> make_shared(uintptr_t pages, size_t bytes) {
  const int file = HEL_TRY(make_file(bytes));
  for (size_t done = 0; done < bytes;) {
    ssize_t written = pwrite(file, reinterpret_cast<void *>(pages + done), bytes - done, static_cast<off_t>(done));
    if (written <= 0) {
      close(file);
      return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "shared memory cannot be written");
    }
    done += static_cast<size_t>(written);
  }
  void *mapped = mmap(reinterpret_cast<void *>(pages), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  if (mapped == MAP_FAILED) {
    close(file);
    return HEL_FAIL(CUDA_ERROR_MAP_FAILED, "shared memory cannot be mapped: %s", std::strerror(errno));
  }
  return SharedFile{file, next_serial.fetch_add(1)};
}

}  // namespace

Result<int> open_shared(const IpcName &name) {
  const std::string path = format("/proc/%d/fd/%d", name.process, name.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat facts {};
  if (file < 0 || fstat(file, &facts) != 0 || static_cast<uint64_t>(facts.st_size) != name.bytes) {
    if (file >= 0) {
      close(file);
    }
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "what process %d shared is gone, or cannot be opened", name.process);
  }
  return file;
}

bool is_shareable(const Allocation &allocation) {
  return allocation.kind == MemoryKind::Device && !allocation.pool && !allocation.of_file;
}

Result<IpcName> share_allocation(const Allocation &allocation) {
  const PageRange pages = pages_of(allocation);
  SharedFiles &files = shared_files();
  Lock lock(files.mutex);
  auto found = files.by_pages.find(pages.base);
  if (found == files.by_pages.end()) {
    found = files.by_pages.emplace(pages.base, HEL_TRY(make_shared(pages.base, pages.bytes))).first;
  }
  IpcName name;
  name.kind = IpcName::kMemory;
  name.process = getpid();
  name.file = found->second.file;
  name.serial = found->second.serial;
  name.bytes = pages.bytes;
  name.offset = allocation.base - pages.base;
  name.memory_bytes = allocation.bytes;
  return name;
}

void forget_shared(uintptr_t pages) {
  SharedFiles &files = shared_files();
  Lock lock(files.mutex);
  auto found = files.by_pages.find(pages);
  if (found != files.by_pages.end()) {
    close(found->second.file);
    files.by_pages.erase(found);
  }
}

void SharedEvent::wait(uint32_t record) const {
  for (;;) {
    const uint32_t seen = reached.load(std::memory_order_acquire);
    if (static_cast<int32_t>(seen - record) >= 0) {
      return;
    }
    syscall(SYS_futex, &reached, FUTEX_WAIT, seen, nullptr, nullptr, 0);
  }
}

void SharedEvent::reach(uint32_t record) {
  uint32_t seen = reached.load(std::memory_order_relaxed);
  while (static_cast<int32_t>(record - seen) > 0 &&
         !reached.compare_exchange_weak(seen, record, std::memory_order_acq_rel)) {
  }
  syscall(SYS_futex, &reached, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

Result<SharedEventPage *> SharedEventPage::create() {
  const int file = HEL_TRY(make_file(kPage));
  void *mapped = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) {
    close(file);
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "shared memory cannot be mapped");
  }
  IpcName name;
  name.kind = IpcName::kEvent;
  name.process = getpid();
  name.file = file;
  name.bytes = kPage;
  name.serial = next_serial.fetch_add(1);
  return new SharedEventPage(static_cast<SharedEvent *>(mapped), name, file);
}

Result<SharedEventPage *> SharedEventPage::open(const IpcName &name) {
  const int file = HEL_TRY(open_shared(name));
  void *mapped = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) {
    return HEL_FAIL(CUDA_ERROR_MAP_FAILED, "the event cannot be mapped");
  }
  return new SharedEventPage(static_cast<SharedEvent *>(mapped), name, -1);
}

SharedEventPage::~SharedEventPage() {
  munmap(event_, kPage);
  if (file_ >= 0) {
    close(file_);
  }
}

}  // namespace hel::cpu
