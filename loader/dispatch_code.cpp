// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries and kernels over several drivers. A program loads its code once and asks for a kernel once, and may launch it on
// any device: a handle given out here stands for a handle of each side, made when that side first needs it.
#include "loader/dispatch.h"

#include "base/driver_result.h"
#include "base/mutex.h"
#include "base/result.h"

#include <sys/mman.h>

#include <cstring>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

namespace hel::loader {
namespace {

struct JointLibrary;

struct JointKernel {
  JointLibrary *library;
  std::string name;
  void *handle = nullptr;  ///< its own
  CUkernel of_side[kMaxSides] = {};
};

struct JointLibrary {
  Mutex mutex;
  void *handle = nullptr;       ///< its own
  const void *image = nullptr;  ///< kept by the program: sides may still load it
  CUlibrary of_side[kMaxSides] HEL_GUARDED_BY(mutex) = {};
  std::deque<void *> kernels HEL_GUARDED_BY(mutex);  ///< names of kernels, as handles
  int managed_side HEL_GUARDED_BY(mutex) = kAnySide;  ///< where its managed variables live, once asked for
  std::map<std::string, CUdeviceptr> managed HEL_GUARDED_BY(mutex);  ///< those that were asked for
};

/// Handles are addresses in a range that is reserved and never mapped: nobody else's pointers, and nothing to touch.
class Handles {
public:
  static constexpr size_t kBytes = size_t{1} << 32, kStep = 16;
  bool holds(const void *handle) const { return reinterpret_cast<uintptr_t>(handle) - base_ < kBytes; }

  template <typename T> void *add(T *object) HEL_EXCLUDES(mutex_) {
    Lock lock(mutex_);
    objects_.push_back({object, is_library<T>()});
    return reinterpret_cast<void *>(base_ + (objects_.size() - 1) * kStep);
  }
  template <typename T> T *find(const void *handle) HEL_EXCLUDES(mutex_) {
    size_t at = (reinterpret_cast<uintptr_t>(handle) - base_) / kStep;
    Lock lock(mutex_);
    bool right = holds(handle) && at < objects_.size() && objects_[at].library == is_library<T>();
    return right ? static_cast<T *>(objects_[at].object) : nullptr;
  }
  void drop(const void *handle) HEL_EXCLUDES(mutex_) {
    Lock lock(mutex_);
    objects_[(reinterpret_cast<uintptr_t>(handle) - base_) / kStep].object = nullptr;
  }

private:
  struct Entry {
    void *object;
    bool library;
  };
  template <typename T> static constexpr bool is_library() { return std::is_same_v<T, JointLibrary>; }
  uintptr_t base_ = reinterpret_cast<uintptr_t>(
      mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  Mutex mutex_;
  std::deque<Entry> objects_ HEL_GUARDED_BY(mutex_);
};

Handles &handles() {
  static Handles *const made = new Handles;  // never destroyed: used until the process ends
  return *made;
}

/// What programs know kernels of the sides by.
struct Known {
  Mutex mutex;
  std::unordered_map<const void *, void *> joint[kMaxSides] HEL_GUARDED_BY(mutex);
};

Known &known() {
  static Known *const made = new Known;  // never destroyed: used until the process ends
  return *made;
}

void note(int at, const JointKernel &joint, CUkernel own) {
  Lock lock(known().mutex);
  known().joint[at][own] = joint.handle;
}

void forget(const JointKernel &joint) {
  Lock lock(known().mutex);
  for (int at = 0; at < side_count(); at++) {
    known().joint[at].erase(joint.of_side[at]);
  }
}

thread_local CUresult last_reason = CUDA_SUCCESS;

CUresult fail(CUresult code, std::string message) {
  set_last_driver_message(std::move(message));
  return code;
}

/// The managed variables of a library that was just loaded on a side are those that the program has.
CUresult share_managed_with(int at, CUlibrary loaded, const JointLibrary &joint) HEL_REQUIRES(joint.mutex) {
  for (const auto &[name, storage] : joint.managed) {
    HEL_ENSURE(joint.managed_side != at, "managed variable %s", name.c_str());
    if (Result<void> shared = share_managed(at, loaded, name.c_str(), storage); !shared) {
      return fail(static_cast<CUresult>(shared.failure().code), shared.failure().message);
    }
  }
  return CUDA_SUCCESS;
}

/// The library on a side, loaded there if need be; null, with *code, where that cannot be.
CUlibrary load_on(int at, JointLibrary &joint, CUresult *code) {
  Lock lock(joint.mutex);
  *code = CUDA_SUCCESS;
  if (joint.of_side[at] != nullptr) {
    return joint.of_side[at];
  }
  if (joint.image == nullptr) {
    *code = fail(CUDA_ERROR_NO_BINARY_FOR_GPU, "the code was not loaded for the devices of this driver");
    return nullptr;
  }
  CUlibraryOption preserved = CU_LIBRARY_BINARY_IS_PRESERVED;
  void *value = nullptr;
  CUlibrary loaded = nullptr;
  *code = side(at).LibraryLoadData(&loaded, joint.image, nullptr, nullptr, 0, &preserved, &value, 1);
  *code = *code == CUDA_SUCCESS ? share_managed_with(at, loaded, joint) : *code;
  if (*code != CUDA_SUCCESS) {
    if (loaded != nullptr) {
      side(at).LibraryUnload(loaded);
    }
    return nullptr;
  }
  return joint.of_side[at] = loaded;
}

CUkernel find_on(int at, JointKernel &joint, CUresult *code) {
  // Several threads may find the same; a later store changes nothing.
  CUkernel found = __atomic_load_n(&joint.of_side[at], __ATOMIC_ACQUIRE);
  *code = CUDA_SUCCESS;
  if (found == nullptr) {
    if (CUlibrary library = load_on(at, *joint.library, code)) {
      *code = side(at).LibraryGetKernel(&found, library, joint.name.c_str());
      if (*code == CUDA_SUCCESS) {
        note(at, joint, found);
        __atomic_store_n(&joint.of_side[at], found, __ATOMIC_RELEASE);
      }
    }
  }
  return *code == CUDA_SUCCESS ? found : nullptr;
}

bool is_preserved(const CUlibraryOption *options, unsigned count) {
  for (unsigned i = 0; options != nullptr && i < count; i++) {
    if (options[i] == CU_LIBRARY_BINARY_IS_PRESERVED) {
      return true;
    }
  }
  return false;
}

/// Loads on the side that `load` works for; code that does not stay with the program is tried on every side at once.
template <typename Load> CUresult load_library(CUlibrary *library, const void *kept, Load load) {
  if (library == nullptr) {
    return fail(CUDA_ERROR_INVALID_VALUE, "the place for the library is null");
  }
  auto *joint = new JointLibrary;
  joint->image = kept;
  CUresult first = CUDA_SUCCESS;
  bool any = false;
  for (int at = 0; at < side_count(); at++) {
    if (kept != nullptr && at != current_side()) {
      continue;
    }
    Lock lock(joint->mutex);
    CUresult code = load(at, &joint->of_side[at]);
    any = any || code == CUDA_SUCCESS;
    first = at == current_side() ? code : first;
  }
  if (!any) {
    delete joint;
    return first;
  }
  joint->handle = handles().add(joint);
  *library = static_cast<CUlibrary>(joint->handle);
  return CUDA_SUCCESS;
}

CUresult library_load_data(CUlibrary *library, const void *code, CUjit_option *jit, void **jit_values, unsigned jit_count,
                           CUlibraryOption *options, void **values, unsigned count) {
  const void *kept = is_preserved(options, count) && jit_count == 0 ? code : nullptr;
  return load_library(library, kept, [&](int at, CUlibrary *made) {
    return side(at).LibraryLoadData(made, code, jit, jit_values, jit_count, options, values, count);
  });
}

CUresult library_load_from_file(CUlibrary *library, const char *path, CUjit_option *jit, void **jit_values, unsigned jit_count,
                                CUlibraryOption *options, void **values, unsigned count) {
  return load_library(library, nullptr, [&](int at, CUlibrary *made) {
    return side(at).LibraryLoadFromFile(made, path, jit, jit_values, jit_count, options, values, count);
  });
}

CUresult library_unload(CUlibrary library) {
  auto *joint = handles().find<JointLibrary>(library);
  if (joint == nullptr) {
    return fail(CUDA_ERROR_INVALID_HANDLE, "the library is not loaded");
  }
  handles().drop(library);
  for (int at = 0; at < side_count(); at++) {
    Lock lock(joint->mutex);
    if (joint->of_side[at] != nullptr) {
      side(at).LibraryUnload(joint->of_side[at]);
    }
  }
  {
    Lock lock(joint->mutex);
    for (void *kernel : joint->kernels) {
      auto *joint_kernel = handles().find<JointKernel>(kernel);
      forget(*joint_kernel);
      handles().drop(kernel);
      delete joint_kernel;
    }
  }
  delete joint;
  return CUDA_SUCCESS;
}

CUkernel joint_kernel(JointLibrary *library, const char *name, int at, CUkernel own) {
  auto *joint = new JointKernel{library, name};
  joint->of_side[at] = own;
  void *handle = joint->handle = handles().add(joint);
  note(at, *joint, own);
  Lock lock(library->mutex);
  library->kernels.push_back(handle);
  return static_cast<CUkernel>(handle);
}

CUresult library_get_kernel(CUkernel *kernel, CUlibrary library, const char *name) {
  auto *joint = handles().find<JointLibrary>(library);
  if (joint == nullptr || kernel == nullptr || name == nullptr) {
    return fail(joint == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE, "no library, or no place or name");
  }
  CUresult code = CUDA_SUCCESS;
  int at = current_side();
  CUlibrary own = load_on(at, *joint, &code);
  CUkernel found = nullptr;
  code = own == nullptr ? code : side(at).LibraryGetKernel(&found, own, name);
  if (code == CUDA_SUCCESS) {
    *kernel = joint_kernel(joint, name, at, found);
  }
  return code;
}

CUresult library_enumerate_kernels(CUkernel *kernels, unsigned count, CUlibrary library) {
  auto *joint = handles().find<JointLibrary>(library);
  CUresult code = joint == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  int at = current_side();
  CUlibrary own = joint == nullptr ? nullptr : load_on(at, *joint, &code);
  code = own == nullptr ? code : side(at).LibraryEnumerateKernels(kernels, count, own);
  for (unsigned i = 0; code == CUDA_SUCCESS && i < count && kernels[i] != nullptr; i++) {
    const char *name = nullptr;
    code = side(at).KernelGetName(&name, kernels[i]);
    kernels[i] = code == CUDA_SUCCESS ? joint_kernel(joint, name, at, kernels[i]) : nullptr;
  }
  return code;
}

CUresult kernel_get_library(CUlibrary *library, CUkernel kernel) {
  auto *joint = handles().find<JointKernel>(kernel);
  if (joint == nullptr || library == nullptr) {
    return fail(joint == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE, "no kernel of a library, or no place");
  }
  *library = static_cast<CUlibrary>(joint->library->handle);
  return CUDA_SUCCESS;
}

/// Where a library's managed variables live: with a GPU, whose managed memory every device can use; else where first
/// asked for.
int managed_home(JointLibrary &joint) {
  {
    Lock lock(joint.mutex);
    if (joint.managed_side != kAnySide) {
      return joint.managed_side;
    }
  }
  int home = foreign_side();
  CUresult code = CUDA_SUCCESS;
  if (home == kAnySide) {
    return current_side();
  }
  const Visit visit(home);
  return load_on(home, joint, &code) != nullptr ? home : current_side();
}

CUresult library_get_managed(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  auto *joint = handles().find<JointLibrary>(library);
  if (joint == nullptr) {
    return fail(CUDA_ERROR_INVALID_HANDLE, "the library is not loaded");
  }
  int at = managed_home(*joint);
  const Visit visit(at);
  CUresult code = CUDA_SUCCESS;
  CUdeviceptr storage = 0;
  CUlibrary own = load_on(at, *joint, &code);
  code = own == nullptr ? code : side(at).LibraryGetManaged(&storage, bytes, own, name);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  Lock lock(joint->mutex);
  joint->managed_side = at;
  for (int other = 0; joint->managed.count(name) == 0 && other < side_count(); other++) {
    CUlibrary there = other != at ? joint->of_side[other] : nullptr;
    if (Result<void> shared = there != nullptr ? share_managed(other, there, name, storage) : Result<void>(); !shared) {
      return fail(static_cast<CUresult>(shared.failure().code), shared.failure().message);
    }
  }
  joint->managed[name] = storage;
  if (address != nullptr) {
    *address = storage;
  }
  return CUDA_SUCCESS;
}

CUresult launch_kernel_ex(const CUlaunchConfig *config, CUfunction f, void **params, void **extra) {
  int at = choose_side({side_of_handle(f), config != nullptr ? side_of_handle(config->hStream) : kAnySide, current_side()});
  if (at < 0) {
    return of_several_drivers("cuLaunchKernelEx");
  }
  CUfunction own = on_side(at, f);
  return own == nullptr && f != nullptr ? last_reason : side(at).LaunchKernelEx(config, own, params, extra);
}

}  // namespace

bool is_joint(const void *handle) { return handles().holds(handle); }

CUresult why_not_on_side() { return last_reason; }

CUkernel on_side(int at, CUkernel kernel) {
  if (!is_joint(kernel)) {
    return kernel;
  }
  last_reason = CUDA_ERROR_INVALID_HANDLE;
  auto *joint = handles().find<JointKernel>(kernel);
  return joint == nullptr ? nullptr : find_on(at, *joint, &last_reason);
}

CUfunction on_side(int at, CUfunction function) {
  // A launch may name a kernel in the place of its function.
  return reinterpret_cast<CUfunction>(on_side(at, reinterpret_cast<CUkernel>(function)));
}

CUkernel joint_of(int at, CUkernel own) {
  Lock lock(known().mutex);
  auto found = known().joint[at].find(own);
  return found == known().joint[at].end() ? own : static_cast<CUkernel>(found->second);
}

CUfunction joint_of(int at, CUfunction own) {
  return reinterpret_cast<CUfunction>(joint_of(at, reinterpret_cast<CUkernel>(own)));
}

CUlibrary on_side(int at, CUlibrary library) {
  if (!is_joint(library)) {
    return library;
  }
  last_reason = CUDA_ERROR_INVALID_HANDLE;
  auto *joint = handles().find<JointLibrary>(library);
  return joint == nullptr ? nullptr : load_on(at, *joint, &last_reason);
}

void put_code_functions(DriverTable &table) {
  table.LibraryLoadData = library_load_data;
  table.LibraryLoadFromFile = library_load_from_file;
  table.LibraryUnload = library_unload;
  table.LibraryGetKernel = library_get_kernel;
  table.LibraryEnumerateKernels = library_enumerate_kernels;
  table.LibraryGetManaged = library_get_managed;
  table.KernelGetLibrary = kernel_get_library;
  table.LaunchKernelEx = launch_kernel_ex;
}

}  // namespace hel::loader
