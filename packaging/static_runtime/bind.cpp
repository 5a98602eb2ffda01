// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds libhelicon for a program that was linked with the static runtime library, and the functions in it.
//
// Looked for, in this order: the copy that the process has already; the folder of the toolkit that compiled the program
// (mcc puts `__hl_toolkit_lib` into each object with device code); the system's own search.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define HEL_HIDDEN __attribute__((visibility("hidden")))

extern "C" {
/// The library folder of the toolkit that compiled the program; null when no object of it came from mcc.
extern const char __hl_toolkit_lib[] __attribute__((weak, visibility("hidden")));
/// Called by the stubs (make_stubs.py) with the name of an entry point; returns its address or ends the process.
HEL_HIDDEN void *hel_bind(const char *name);
}

namespace {

constexpr char kLibrary[] = "libhelicon.so.0";

void *open_library() {
  if (void *loaded = dlopen(kLibrary, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD)) {
    return loaded;
  }
  if (__hl_toolkit_lib != nullptr) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", __hl_toolkit_lib, kLibrary) < (int)sizeof path) {
      if (void *found = dlopen(path, RTLD_NOW | RTLD_GLOBAL)) {
        return found;
      }
    }
  }
  if (void *found = dlopen(kLibrary, RTLD_NOW | RTLD_GLOBAL)) {
    return found;
  }
  fprintf(stderr, "helicon: cannot load %s: %s; set LD_LIBRARY_PATH to the toolkit's lib folder\n", kLibrary, dlerror());
  abort();
}

}  // namespace

void *hel_bind(const char *name) {
  // Needs nothing of the C++ run time, which a C program does not link. Two threads may both open it: the same library.
  static void *library = nullptr;
  void *opened = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
  if (opened == nullptr) {
    opened = open_library();
    __atomic_store_n(&library, opened, __ATOMIC_RELEASE);
  }
  void *address = dlsym(opened, name);
  if (address == nullptr) {
    fprintf(stderr, "helicon: %s has no %s: the program was linked for another version\n", kLibrary, name);
    abort();
  }
  return address;
}
