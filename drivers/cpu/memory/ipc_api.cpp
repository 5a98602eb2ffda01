// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: memory and events of other processes.
#include "drivers/cpu/memory/ipc.h"

#include "base/mutex.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/event.h"
#include "drivers/cpu/memory/address_space.h"
#include "drivers/cpu/memory/registry.h"
#include "helicon/gen/cpu_impl.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

namespace hel::cpu {
namespace {

/// Another process's memory in this one.
struct Import {
  IpcName name;
  uintptr_t pages;
  Allocation *record;
  unsigned users;
};

struct Imports {
  Mutex mutex;
  std::map<uintptr_t, Import> by_pointer HEL_GUARDED_BY(mutex);
};

Imports &imports() {
  static Imports *const all = new Imports;  // never destroyed: threads may outlive main()
  return *all;
}

template <typename Handle> IpcName name_of(const Handle &handle) {
  IpcName name;
  std::memcpy(&name, &handle, sizeof name);
  return name;
}

template <typename Handle> void put_name(Handle *handle, const IpcName &name) {
  *handle = {};
  std::memcpy(handle, &name, sizeof name);
}

bool same_memory(const IpcName &a, const IpcName &b) {
  return a.process == b.process && a.serial == b.serial && a.offset == b.offset;
}

Result<Import> import_memory(const IpcName &name, Device &device) {
  const int file = HEL_TRY(open_shared(name));
  const uintptr_t pages = address_space().reserve(name.bytes + kGranuleBytes, kGranuleBytes);
  void *mapped = pages == 0 ? MAP_FAILED
                            : mmap(reinterpret_cast<void *>(pages), name.bytes, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_FIXED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) {
    return HEL_FAIL(CUDA_ERROR_MAP_FAILED, "the memory of process %d cannot be mapped", name.process);
  }
  Allocation *record = register_mapping(device, pages + name.offset, name.memory_bytes);
  record->flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return Import{name, pages, record, 1};
}

}  // namespace

Result<void> ipc_get_mem_handle(CUipcMemHandle *pHandle, CUdeviceptr dptr) {
  if (dptr == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "there is no memory at the null address");
  }
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pHandle, "pHandle"));
  Allocation *allocation = find_allocation(dptr);
  if (allocation == nullptr || !is_shareable(*allocation)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx is no memory of cuMemAlloc",
                    static_cast<unsigned long long>(dptr));
  }
  context->synchronize();
  put_name(pHandle, HEL_TRY(share_allocation(*allocation)));
  return {};
}

Result<void> ipc_open_mem_handle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pdptr, "pdptr"));
  HEL_TRY(check_flags(Flags, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  const IpcName name = name_of(handle);
  if (name.kind != IpcName::kMemory || name.offset > name.bytes || name.memory_bytes > name.bytes - name.offset) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the handle is none of cuIpcGetMemHandle");
  }
  if (name.process == getpid()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "the handle was made by this process");
  }
  Imports &all = imports();
  Lock lock(all.mutex);
  for (auto &[pointer, import] : all.by_pointer) {
    if (same_memory(import.name, name)) {
      import.users++;
      *pdptr = pointer;
      return {};
    }
  }
  Import import = HEL_TRY(import_memory(name, context->device()));
  *pdptr = import.record->base;
  all.by_pointer.emplace(import.record->base, import);
  return {};
}

Result<void> ipc_close_mem_handle(CUdeviceptr dptr) {
  Context *context = HEL_TRY(current_context());
  context->synchronize();
  Imports &all = imports();
  Lock lock(all.mutex);
  auto found = all.by_pointer.find(dptr);
  if (found == all.by_pointer.end()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx was not opened", static_cast<unsigned long long>(dptr));
  }
  Import &import = found->second;
  if (--import.users == 0) {
    release(*import.record);
    mmap(reinterpret_cast<void *>(import.pages), import.name.bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    address_space().unreserve(import.pages, import.name.bytes + kGranuleBytes);
    all.by_pointer.erase(found);
  }
  return {};
}

Result<void> ipc_get_event_handle(CUipcEventHandle *pHandle, CUevent event) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pHandle, "pHandle"));
  Ref<Event> object = HEL_TRY(find<Event>(event));
  if (object->shared() == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the event was not created with CU_EVENT_INTERPROCESS");
  }
  put_name(pHandle, object->shared()->name());
  return {};
}

Result<void> ipc_open_event_handle(CUevent *phEvent, CUipcEventHandle handle) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(phEvent, "phEvent"));
  const IpcName name = name_of(handle);
  if (name.kind != IpcName::kEvent || name.process == getpid()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the handle is none of another process's cuIpcGetEventHandle");
  }
  std::unique_ptr<SharedEventPage> page(HEL_TRY(SharedEventPage::open(name)));
  Ref<Event> event =
      HEL_TRY(publish(new Event(*context, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING, std::move(page))));
  context->add_child(*event, Tag::Event);
  *phEvent = event->handle();
  return {};
}

}  // namespace hel::cpu
