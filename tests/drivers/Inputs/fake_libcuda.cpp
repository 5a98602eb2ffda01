// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver library for tests without a GPU. It answers as NVIDIA's does at the door (cuGetProcAddress) and hands every call
// to a second copy of libhelicon (FAKE_GPU_INNER), whose CPU device plays the GPU. Code comes as PTX, which nobody here can
// run: in its place the copy is given the container FAKE_GPU_IMAGE, the same source made for the CPU. What that calls of the
// engine is found in the program's own libhelicon first, so that kernels must be such as the warp engine runs without it.
// FAKE_GPU_BROKEN: cuInit fails.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

using GetProcAddress = int (*)(const char *, void **, int, unsigned long long, int *);

static GetProcAddress inner;

static void open_inner() {
  std::string drivers = getenv("HELICON_DRIVERS") ? getenv("HELICON_DRIVERS") : "";
  std::string compare = getenv("HELICON_COMPARE") ? getenv("HELICON_COMPARE") : "";
  setenv("HELICON_DRIVERS", "cpu", 1);
  unsetenv("HELICON_COMPARE");
  void *library = dlopen(getenv("FAKE_GPU_INNER"), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    fprintf(stderr, "fake GPU: %s\n", dlerror());
    abort();
  }
  inner = reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2"));
  void *init = nullptr;
  inner("cuInit", &init, 2000, 0, nullptr);
  reinterpret_cast<int (*)(unsigned)>(init)(0);  // reads the settings
  if (!compare.empty()) setenv("HELICON_COMPARE", compare.c_str(), 1);
  drivers.empty() ? unsetenv("HELICON_DRIVERS") : setenv("HELICON_DRIVERS", drivers.c_str(), 1);
}

static const char *image() {
  static std::vector<char> bytes;
  FILE *file = bytes.empty() ? fopen(getenv("FAKE_GPU_IMAGE"), "rb") : nullptr;
  char piece[4096];
  for (size_t got; file && (got = fread(piece, 1, sizeof piece, file)) > 0;) bytes.insert(bytes.end(), piece, piece + got);
  return bytes.data();
}

static bool is_ptx(const void *code) { return strstr(static_cast<const char *>(code), ".version") != nullptr; }

static int init(unsigned flags) { return getenv("FAKE_GPU_BROKEN") ? 999 : 0; }

static int load_library(void **library, const void *code, void *jit, void **jit_values, unsigned jit_count, void *options,
                        void **values, unsigned count) {
  void *load = nullptr;
  inner("cuLibraryLoadData", &load, 12000, 0, nullptr);
  if (!is_ptx(code)) return 200;
  return reinterpret_cast<decltype(&load_library)>(load)(library, image(), jit, jit_values, jit_count, options, values, count);
}

static int load_module(void **module, const void *code, unsigned count, void *options, void **values) {
  void *load = nullptr;
  inner("cuModuleLoadDataEx", &load, 2010, 0, nullptr);
  if (!is_ptx(code)) return 200;
  return reinterpret_cast<decltype(&load_module)>(load)(module, image(), count, options, values);
}

/// Managed storage has a name of its own in PTX, which the container knows by the variable's.
static int get_managed(unsigned long long *address, size_t *bytes, void *library, const char *name) {
  void *get = nullptr;
  inner("cuLibraryGetManaged", &get, 12000, 0, nullptr);
  std::string plain = name;
  size_t mark = plain.find("__hl_managed");
  if (mark == std::string::npos) return 500;
  return reinterpret_cast<decltype(&get_managed)>(get)(address, bytes, library, plain.substr(0, mark).c_str());
}

extern "C" __attribute__((visibility("default"))) int cuGetProcAddress_v2(const char *name, void **function, int version,
                                                                          unsigned long long flags, int *status) {
  if (inner == nullptr) open_inner();
  struct Own {
    const char *name;
    void *function;
  };
  const Own own[] = {{"cuInit", reinterpret_cast<void *>(init)},
                     {"cuLibraryLoadData", reinterpret_cast<void *>(load_library)},
                     {"cuModuleLoadDataEx", reinterpret_cast<void *>(load_module)},
                     {"cuLibraryGetManaged", reinterpret_cast<void *>(get_managed)}};
  for (const Own &one : own) {
    if (strcmp(name, one.name) == 0) {
      *function = one.function;
      return 0;
    }
  }
  return inner(name, function, version, flags, status);
}
