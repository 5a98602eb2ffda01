// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/compare.h"

#include "base/mutex.h"
#include "base/result.h"
#include "base/settings.h"
#include "loader/difference.h"
#include "loader/dispatch.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace hel::loader {
namespace {

struct Buffer {
  unsigned number;  ///< in order of allocation
  size_t bytes;
};

struct Variable {
  std::string name;
  CUdeviceptr on_gpu, on_cpu;
  size_t bytes;
};

struct KernelRecord {
  unsigned launches = 0, compared = 0, differing = 0;
  std::string note;
};

/// What the two runs of a launch are told apart by.
using Contents = std::vector<std::vector<char>>;

/// Everything is under one mutex: launches are compared one at a time.
struct Compare {
  Mutex mutex;
  Tolerance tolerance;  // constant after put_compare_layer
  int gpu = 0, cpu = 1;
  std::map<CUdeviceptr, Buffer> buffers HEL_GUARDED_BY(mutex);
  unsigned allocations HEL_GUARDED_BY(mutex) = 0;
  std::map<CUdeviceptr, Variable> variables HEL_GUARDED_BY(mutex);
  std::map<CUfunction, CUkernel> kernels HEL_GUARDED_BY(mutex);
  std::map<std::string, KernelRecord> records HEL_GUARDED_BY(mutex);
  std::string stopped HEL_GUARDED_BY(mutex);  ///< why nothing is compared any more
};

Compare &state() {
  static Compare *const made = new Compare;  // never destroyed: the summary is printed at exit
  return *made;
}

const DriverTable &gpu() { return side(state().gpu); }
const DriverTable &cpu() { return side(state().cpu); }

std::string demangled(const char *name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

// --- memory: managed, so that both can reach it

CUresult note(CUresult code, CUdeviceptr address, size_t bytes) {
  if (code == CUDA_SUCCESS) {
    Lock lock(state().mutex);
    state().buffers[address] = {state().allocations++, bytes};
  }
  return code;
}

CUresult allocate(CUdeviceptr *address, size_t bytes) {
  CUresult code = gpu().MemAllocManaged(address, bytes, CU_MEM_ATTACH_GLOBAL);
  return code == CUDA_SUCCESS ? note(code, *address, bytes) : code;
}

CUresult allocate_managed(CUdeviceptr *address, size_t bytes, unsigned flags) {
  CUresult code = gpu().MemAllocManaged(address, bytes, flags);
  return code == CUDA_SUCCESS ? note(code, *address, bytes) : code;
}

CUresult allocate_pitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element) {
  if (address == nullptr || pitch == nullptr || width == 0 || height == 0 || (element != 4 && element != 8 && element != 16)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *pitch = (width + 511) / 512 * 512;
  return allocate(address, *pitch * height);
}

CUresult allocate_async(CUdeviceptr *address, size_t bytes, CUstream) { return allocate(address, bytes); }
CUresult allocate_from_pool(CUdeviceptr *address, size_t bytes, CUmemoryPool, CUstream) { return allocate(address, bytes); }

CUresult release(CUdeviceptr address) {
  {
    Lock lock(state().mutex);
    state().buffers.erase(address);
  }
  return gpu().MemFree(address);
}

CUresult release_async(CUdeviceptr address, CUstream stream) {
  CUresult code = gpu().StreamSynchronize(stream);
  return code == CUDA_SUCCESS ? release(address) : code;
}

CUresult host_allocate(void **address, size_t bytes, unsigned flags) {
  CUresult code = gpu().MemHostAlloc(address, bytes, flags);
  return code == CUDA_SUCCESS ? note(code, reinterpret_cast<CUdeviceptr>(*address), bytes) : code;
}

CUresult host_release(void *address) {
  {
    Lock lock(state().mutex);
    state().buffers.erase(reinterpret_cast<CUdeviceptr>(address));
  }
  return gpu().MemFreeHost(address);
}

// --- code

const DriverTable *below;

CUresult library_get_global(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  size_t size = 0;
  CUdeviceptr on_gpu = 0, on_cpu = 0;
  CUresult code = below->LibraryGetGlobal(&on_gpu, &size, library, name);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  {
    const Visit visit(state().cpu);
    CUlibrary own = on_side(state().cpu, library);
    if (own != nullptr && cpu().LibraryGetGlobal(&on_cpu, nullptr, own, name) == CUDA_SUCCESS) {
      Lock lock(state().mutex);
      state().variables[on_gpu] = {name, on_gpu, on_cpu, size};
    }
  }
  if (address != nullptr) {
    *address = on_gpu;
  }
  if (bytes != nullptr) {
    *bytes = size;
  }
  return CUDA_SUCCESS;
}

CUresult kernel_get_function(CUfunction *function, CUkernel kernel) {
  CUresult code = below->KernelGetFunction(function, kernel);
  if (code == CUDA_SUCCESS && is_joint(kernel)) {
    Lock lock(state().mutex);
    state().kernels[*function] = kernel;
  }
  return code;
}

/// The kernel for both sides that a launch means; null for code that only the GPU has.
CUkernel joint_of(CUfunction function) {
  if (is_joint(function)) {
    return reinterpret_cast<CUkernel>(function);
  }
  Lock lock(state().mutex);
  auto found = state().kernels.find(function);
  return found == state().kernels.end() ? nullptr : found->second;
}

CUresult func_set_attribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (CUkernel joint = joint_of(function)) {
    const Visit visit(state().cpu);
    CUfunction own = nullptr;
    if (cpu().KernelGetFunction(&own, on_side(state().cpu, joint)) == CUDA_SUCCESS) {
      cpu().FuncSetAttribute(own, attribute, value);
    }
  }
  return below->FuncSetAttribute(function, attribute, value);
}

// --- launches

Contents read_contents() HEL_REQUIRES(state().mutex) {
  Contents contents;
  for (const auto &[address, buffer] : state().buffers) {
    auto *bytes = reinterpret_cast<const char *>(address);
    contents.emplace_back(bytes, bytes + buffer.bytes);
  }
  return contents;
}

void write_contents(const Contents &contents) HEL_REQUIRES(state().mutex) {
  size_t at = 0;
  for (const auto &[address, buffer] : state().buffers) {
    std::memcpy(reinterpret_cast<void *>(address), contents[at++].data(), buffer.bytes);
  }
}

Contents read_variables(bool of_gpu) HEL_REQUIRES(state().mutex) {
  const Visit visit(of_gpu ? state().gpu : state().cpu);
  Contents contents;
  for (const auto &[address, variable] : state().variables) {
    std::vector<char> bytes(variable.bytes);
    (of_gpu ? gpu().MemcpyDtoH : cpu().MemcpyDtoH)(bytes.data(), of_gpu ? variable.on_gpu : variable.on_cpu, variable.bytes);
    contents.push_back(std::move(bytes));
  }
  return contents;
}

void give_variables_to_cpu(const Contents &contents) HEL_REQUIRES(state().mutex) {
  size_t at = 0;
  for (const auto &[address, variable] : state().variables) {
    cpu().MemcpyHtoD(variable.on_cpu, contents[at++].data(), variable.bytes);
  }
}

void print(const std::string &kernel, unsigned launch, const std::string &where, const Difference &difference) {
  std::fprintf(stderr,
               "helicon compare: %s, launch %u\n"
               "    %s, byte %zu: %s\n"
               "    %zu of %zu elements differ, the worst by %.3g ulp\n",
               kernel.c_str(), launch, where.c_str(), difference.first, difference.text.c_str(), difference.elements, difference.compared,
               difference.worst_ulp);
}

/// Reports the first difference; true if there is one.
bool report(const std::string &kernel, unsigned launch, const Contents &on_gpu, const Contents &on_cpu, const Contents &gpu_variables,
            const Contents &cpu_variables) HEL_REQUIRES(state().mutex) {
  size_t at = 0;
  for (const auto &[address, buffer] : state().buffers) {
    Difference d = compare_memory(on_gpu[at].data(), on_cpu[at].data(), buffer.bytes, state().tolerance);
    at++;
    if (d.elements != 0) {
      print(kernel, launch, format("buffer %u (%zu bytes at %#llx)", buffer.number, buffer.bytes, address), d);
      return true;
    }
  }
  at = 0;
  for (const auto &[address, variable] : state().variables) {
    Difference d = compare_memory(gpu_variables[at].data(), cpu_variables[at].data(), variable.bytes, state().tolerance);
    at++;
    if (d.elements != 0) {
      print(kernel, launch, "variable " + variable.name, d);
      return true;
    }
  }
  return false;
}

/// Runs `launch` on the CPU and waits; what it leaves is then in memory.
template <typename Launch> CUresult run_on_cpu(CUkernel joint, const Contents &variables, Launch launch) HEL_REQUIRES(state().mutex) {
  const Visit visit(state().cpu);
  CUkernel own = on_side(state().cpu, joint);
  if (own == nullptr) {
    return why_not_on_side();
  }
  give_variables_to_cpu(variables);
  CUresult code = launch(cpu(), reinterpret_cast<CUfunction>(own));
  return code == CUDA_SUCCESS ? cpu().CtxSynchronize() : code;
}

/// `launch(table, function)` launches on the null stream of that driver.
template <typename Launch> CUresult launch_on_both(CUfunction function, Launch launch) {
  CUkernel joint = joint_of(function);
  CUfunction own = on_side(state().gpu, function);
  if (own == nullptr && function != nullptr) {
    return why_not_on_side();
  }
  const char *name = nullptr;
  if (joint != nullptr) {
    gpu().KernelGetName(&name, on_side(state().gpu, joint));
  }
  Lock lock(state().mutex);
  std::string kernel = name != nullptr ? demangled(name) : "a kernel of the GPU's own code";
  KernelRecord &record = state().records[kernel];
  record.launches++;
  if (joint == nullptr || !state().stopped.empty()) {
    record.note = joint == nullptr ? "not compared: the CPU has no code of it" : state().stopped;
    return launch(gpu(), own);
  }
  CUresult code = gpu().CtxSynchronize();
  if (code != CUDA_SUCCESS) {
    return code;
  }
  Contents before = read_contents(), variables = read_variables(true);
  code = launch(gpu(), own);
  code = code == CUDA_SUCCESS ? gpu().CtxSynchronize() : code;
  if (code != CUDA_SUCCESS) {
    return code;  // the program's to find out
  }
  Contents on_gpu = read_contents(), gpu_variables = read_variables(true);
  write_contents(before);
  CUresult cpu_code = run_on_cpu(joint, variables, launch);
  if (cpu_code != CUDA_SUCCESS) {
    state().stopped = format("not compared: the CPU's run of %s failed with error %d", kernel.c_str(), static_cast<int>(cpu_code));
    record.note = state().stopped;
    std::fprintf(stderr, "helicon compare: %s\n", state().stopped.c_str());
    write_contents(on_gpu);
    return CUDA_SUCCESS;
  }
  record.compared++;
  record.differing += report(kernel, record.launches, on_gpu, read_contents(), gpu_variables, read_variables(false));
  write_contents(on_gpu);
  return CUDA_SUCCESS;
}

CUresult launch_kernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                       CUstream, void **params, void **extra) {
  return launch_on_both(f, [&](const DriverTable &cu, CUfunction own) {
    return cu.LaunchKernel(own, gx, gy, gz, bx, by, bz, shared, nullptr, params, extra);
  });
}

CUresult launch_cooperative(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                            CUstream, void **params) {
  return launch_on_both(f, [&](const DriverTable &cu, CUfunction own) {
    return cu.LaunchCooperativeKernel(own, gx, gy, gz, bx, by, bz, shared, nullptr, params);
  });
}

CUresult launch_ex(const CUlaunchConfig *config, CUfunction f, void **params, void **extra) {
  if (config == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUlaunchConfig plain = *config;
  plain.hStream = nullptr;
  return launch_on_both(f, [&](const DriverTable &cu, CUfunction own) { return cu.LaunchKernelEx(&plain, own, params, extra); });
}

/// Texture and surface objects are numbers of the GPU's driver: a kernel that uses them cannot run on the CPU as well.
CUresult texture_create(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                        const CUDA_RESOURCE_VIEW_DESC *view) {
  Lock lock(state().mutex);
  state().stopped = "not compared: the program uses textures";
  return gpu().TexObjectCreate(object, resource, texture, view);
}

CUresult surface_create(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  Lock lock(state().mutex);
  state().stopped = "not compared: the program uses surfaces";
  return gpu().SurfObjectCreate(object, resource);
}

void print_summary() {
  Lock lock(state().mutex);
  std::fprintf(stderr, "helicon compare: launches  compared  different  kernel\n");
  for (const auto &[name, record] : state().records) {
    std::fprintf(stderr, "                 %8u  %8u  %9u  %s%s%s\n", record.launches, record.compared, record.differing, name.c_str(),
                 record.note.empty() ? "" : "  ", record.note.c_str());
  }
}

}  // namespace

bool put_compare_layer(DriverTable &table, std::string *error) {
  if (side_count() != 2 || foreign_side() != 0) {
    *error = "HELICON_COMPARE compares an NVIDIA GPU with the CPU, and needs the drivers nvidia and cpu";
    return false;
  }
  if (!Tolerance::parse(settings().compare, &state().tolerance)) {
    *error = "HELICON_COMPARE is '" + settings().compare + "', and should be 1 or a list like ulp=4,abs=1e-6";
    return false;
  }
  static const DriverTable plain = table;
  below = &plain;
  table.DeviceGetCount = gpu().DeviceGetCount;
  table.MemAlloc = allocate;
  table.MemAllocManaged = allocate_managed;
  table.MemAllocPitch = allocate_pitch;
  table.MemAllocAsync = allocate_async;
  table.MemAllocFromPoolAsync = allocate_from_pool;
  table.MemFree = release;
  table.MemFreeAsync = release_async;
  table.MemHostAlloc = host_allocate;
  table.MemFreeHost = host_release;
  table.LibraryGetGlobal = library_get_global;
  table.KernelGetFunction = kernel_get_function;
  table.FuncSetAttribute = func_set_attribute;
  table.LaunchKernel = launch_kernel;
  table.LaunchKernelEx = launch_ex;
  table.LaunchCooperativeKernel = launch_cooperative;
  table.TexObjectCreate = texture_create;
  table.SurfObjectCreate = surface_create;
  std::atexit(print_summary);
  return true;
}

}  // namespace hel::loader
