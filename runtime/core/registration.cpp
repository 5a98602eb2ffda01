// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled host objects call: clang's CUDA registration interface, and the same for separately compiled objects.
#include "loader/spelling.h"
#include "runtime/core/modules.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>

namespace hel::rt {
namespace {

/// What clang writes into the section llvm_offload_entries for each kernel and device variable.
struct OffloadEntry {
  uint64_t reserved;
  uint16_t version;
  uint16_t kind;
  uint32_t flags;  ///< OffloadEntryFlags
  void *address;   ///< a kernel's stub or a variable's shadow
  const char *name;
  uint64_t size;  ///< 0: a kernel
  uint64_t data;
  void *auxiliary;  ///< a managed variable: the host's pointer to its storage; `address` is then the initial value
};
static_assert(sizeof(OffloadEntry) == 56);

enum OffloadEntryFlags : uint32_t {
  kEntryKindMask = 7,
  kEntryVariable = 0,
  kEntryManaged = 1,
  kEntrySurface = 2,
  kEntryTexture = 3,
  kEntryConstant = 1u << 4,
};

FatBinary *binary_of(void **handle) { return reinterpret_cast<FatBinary *>(handle); }

bool is_container(const abi::ImageHeader *header) {
  return std::memcmp(header->magic, abi::kImageMagic, sizeof header->magic) == 0;
}

/// A section that holds containers one after the other, with zeros between them.
std::vector<const abi::ImageHeader *> containers_between(const char *at, const char *end) {
  std::vector<const abi::ImageHeader *> containers;
  while (at + sizeof(abi::ImageHeader) <= end) {
    auto *header = reinterpret_cast<const abi::ImageHeader *>(at);
    if (!is_container(header)) {
      at += alignof(abi::ImageHeader);
      continue;
    }
    containers.push_back(header);
    at += (header->total_bytes + 7) & ~uint64_t{7};
  }
  return containers;
}

/// Separately compiled programs and shared objects, by the start of their list of entries.
Mutex &linked_mutex() {
  static Mutex *const mutex = new Mutex;
  return *mutex;
}
std::map<const void *, FatBinary *> &linked_binaries() {
  static auto *const binaries = new std::map<const void *, FatBinary *>;
  return *binaries;
}

void add_entry(const OffloadEntry &entry, FatBinary *binary) {
  if (entry.size == 0) {
    add_kernel({entry.address, entry.name, binary});
    return;
  }
  switch (entry.flags & kEntryKindMask) {
  case kEntryManaged:
    add_variable({entry.auxiliary, entry.name, entry.size, VariableUse::Managed, entry.address, binary});
    break;
  case kEntrySurface:
    add_variable({entry.address, entry.name, entry.size, VariableUse::Surface, nullptr, binary});
    break;
  case kEntryTexture:
    add_variable({entry.address, entry.name, entry.size, VariableUse::Texture, nullptr, binary});
    break;
  default:
    add_variable({entry.address, entry.name, entry.size,
                  (entry.flags & kEntryConstant) != 0 ? VariableUse::Constant : VariableUse::Device, nullptr, binary});
  }
}

}  // namespace
}  // namespace hel::rt

using namespace hel;

#define HEL_EXPORT __attribute__((visibility("default")))

extern "C" {

HEL_EXPORT void **__cudaRegisterFatBinary(const void *wrapper);
HEL_EXPORT void __cudaRegisterFatBinaryEnd(void **handle);
HEL_EXPORT void __cudaUnregisterFatBinary(void **handle);
HEL_EXPORT void __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name,
                                       int thread_limit, void *tid, void *bid, void *block, void *grid, int *warp);
HEL_EXPORT void __cudaRegisterVar(void **handle, char *shadow, char *device_name, const char *name, int external,
                                  size_t bytes, int constant, int global);
HEL_EXPORT void __cudaRegisterManagedVar(void **handle, void **pointer, void *init, const char *name, size_t bytes,
                                         unsigned align);
HEL_EXPORT void __cudaRegisterTexture(void **handle, const void *shadow, const void *device_name, const char *name,
                                      int dimensions, int normalised, int external);
HEL_EXPORT void __cudaRegisterSurface(void **handle, const void *shadow, const void *device_name, const char *name,
                                      int dimensions, int external);
HEL_EXPORT void __hl_register_rdc(const void *entries_begin, const void *entries_end, const void *images_begin,
                                  const void *images_end);
HEL_EXPORT void __hl_unregister_rdc(const void *entries_begin);

void **__cudaRegisterFatBinary(const void *wrapper) {
  auto *fat = static_cast<const abi::FatbinWrapper *>(wrapper);
  auto *header = static_cast<const abi::ImageHeader *>(fat->data);
  if (fat->magic != abi::FatbinWrapper::kMagic || !rt::is_container(header)) {
    std::fprintf(stderr, "helicon: an object of this program was not compiled by mcc; its kernels cannot run\n");
    return nullptr;
  }
  return reinterpret_cast<void **>(rt::add_binary({header}));
}

void __cudaRegisterFatBinaryEnd(void **handle) {
  if (handle != nullptr) {
    rt::finish_binary(rt::binary_of(handle));
  }
}

void __cudaUnregisterFatBinary(void **handle) {
  if (handle != nullptr) {
    rt::remove_binary(rt::binary_of(handle));
  }
}

void __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name, int thread_limit,
                            void *tid, void *bid, void *block, void *grid, int *warp) {
  if (handle != nullptr) {
    rt::add_kernel({stub, name, rt::binary_of(handle)});
  }
}

void __cudaRegisterVar(void **handle, char *shadow, char *device_name, const char *name, int external, size_t bytes,
                       int constant, int global) {
  if (handle != nullptr) {
    rt::VariableUse use = constant != 0 ? rt::VariableUse::Constant : rt::VariableUse::Device;
    rt::add_variable({shadow, name, bytes, use, nullptr, rt::binary_of(handle)});
  }
}

void __cudaRegisterManagedVar(void **handle, void **pointer, void *init, const char *name, size_t bytes,
                              unsigned align) {
  if (handle != nullptr) {
    rt::add_variable({pointer, name, bytes, rt::VariableUse::Managed, init, rt::binary_of(handle)});
  }
}

void __cudaRegisterTexture(void **handle, const void *shadow, const void *device_name, const char *name, int dimensions,
                           int normalised, int external) {
  if (handle != nullptr) {
    rt::add_variable({shadow, name, sizeof(uint64_t), rt::VariableUse::Texture, nullptr, rt::binary_of(handle)});
  }
}

void __cudaRegisterSurface(void **handle, const void *shadow, const void *device_name, const char *name, int dimensions,
                           int external) {
  if (handle != nullptr) {
    rt::add_variable({shadow, name, sizeof(uint64_t), rt::VariableUse::Surface, nullptr, rt::binary_of(handle)});
  }
}

void __hl_register_rdc(const void *entries_begin, const void *entries_end, const void *images_begin,
                       const void *images_end) {
  std::vector<const abi::ImageHeader *> containers =
      rt::containers_between(static_cast<const char *>(images_begin), static_cast<const char *>(images_end));
  if (containers.empty()) {
    return;
  }
  rt::FatBinary *binary = rt::add_binary(std::move(containers));
  for (auto *entry = static_cast<const rt::OffloadEntry *>(entries_begin); entry < entries_end; entry++) {
    rt::add_entry(*entry, binary);
  }
  rt::finish_binary(binary);
  Lock lock(rt::linked_mutex());
  rt::linked_binaries()[entries_begin] = binary;
}

void __hl_unregister_rdc(const void *entries_begin) {
  rt::FatBinary *binary = nullptr;
  {
    Lock lock(rt::linked_mutex());
    auto found = rt::linked_binaries().find(entries_begin);
    if (found == rt::linked_binaries().end()) {
      return;
    }
    binary = found->second;
    rt::linked_binaries().erase(found);
  }
  rt::remove_binary(binary);
}

}  // extern "C"
