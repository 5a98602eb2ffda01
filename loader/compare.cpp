// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/compare.h"

#include "base/result.h"
#include "base/settings.h"
#include "loader/compare_state.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hel::loader {
namespace comparing {
namespace {

DriverTable plain;  // constant after put_compare_layer

std::string demangled(const char *name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

// --- code

CUresult library_get_global(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  size_t size = 0;
  CUdeviceptr on_gpu = 0, on_cpu = 0;
  CUresult code = below().LibraryGetGlobal(&on_gpu, &size, library, name);
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
  CUresult code = below().KernelGetFunction(function, kernel);
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
  return below().FuncSetAttribute(function, attribute, value);
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

/// Runs the kernel on the CPU and waits; what it leaves is then in memory.
CUresult run_on_cpu(CUkernel joint, const Contents &variables, const Arguments &arguments, const Launch &launch)
    HEL_REQUIRES(state().mutex) {
  hold_context(state().cpu);
  const Visit visit(state().cpu);
  CUkernel own = on_side(state().cpu, joint);
  if (own == nullptr) {
    return why_not_on_side();
  }
  give_variables_to_cpu(variables);
  CUresult code = launch.on(cpu(), reinterpret_cast<CUfunction>(own), arguments);
  return code == CUDA_SUCCESS ? cpu().CtxSynchronize() : code;
}

/// The sizes of a kernel's parameters, from the side that has it in any case.
std::vector<size_t> parameter_sizes(CUfunction on_gpu, CUkernel joint) {
  std::vector<size_t> sizes;
  CUkernel kernel = joint != nullptr ? on_side(state().cpu, joint) : nullptr;
  size_t offset = 0;
  size_t size = 0;
  auto next = [&] {
    return kernel != nullptr ? cpu().KernelGetParamInfo(kernel, sizes.size(), &offset, &size)
                             : gpu().FuncGetParamInfo(on_gpu, sizes.size(), &offset, &size);
  };
  while (next() == CUDA_SUCCESS) {
    sizes.push_back(size);
  }
  return sizes;
}

/// Runs the kernel on the GPU, with the GPU's numbers of textures.
CUresult run_on_gpu(CUfunction own, CUkernel joint, const Arguments &arguments, const Launch &launch)
    HEL_REQUIRES(state().mutex) {
  if (!has_objects()) {
    return launch.on(gpu(), own, arguments);
  }
  CUresult code = gpu().CtxSynchronize();
  if (code == CUDA_SUCCESS) {
    const GpuNumbers numbers(arguments, parameter_sizes(own, joint));
    code = launch.on(gpu(), own, numbers.arguments());
    code = code == CUDA_SUCCESS ? gpu().CtxSynchronize() : code;
  }
  return code;
}

/// What the two runs of a launch are told apart by.
struct Everything {
  Contents memory, variables, arrays;
};

Everything everything(bool of_gpu) HEL_REQUIRES(state().mutex) {
  return {read_contents(), read_variables(of_gpu), read_arrays(of_gpu)};
}

/// Reports the first difference; true if there is one.
bool report(const std::string &kernel, unsigned launch, const Everything &on_gpu, const Everything &on_cpu)
    HEL_REQUIRES(state().mutex) {
  size_t at = 0;
  for (const auto &[address, buffer] : state().buffers) {
    std::string where = format("buffer %u (%zu bytes at %#llx)", buffer.number, buffer.bytes, address);
    if (report_difference(kernel, launch, where, on_gpu.memory[at], on_cpu.memory[at])) {
      return true;
    }
    at++;
  }
  at = 0;
  for (const auto &[address, variable] : state().variables) {
    if (report_difference(kernel, launch, "variable " + variable.name, on_gpu.variables[at], on_cpu.variables[at])) {
      return true;
    }
    at++;
  }
  return report_arrays(kernel, launch, on_gpu.arrays, on_cpu.arrays);
}

CUresult launch_and_report(CUfunction own, CUkernel joint, const Arguments &arguments, const Launch &launch,
                           const std::string &kernel) HEL_REQUIRES(state().mutex) {
  KernelRecord &record = state().records[kernel];
  CUresult code = gpu().CtxSynchronize();
  if (code != CUDA_SUCCESS) {
    return code;
  }
  Everything before = everything(true);
  code = run_on_gpu(own, joint, arguments, launch);
  code = code == CUDA_SUCCESS ? gpu().CtxSynchronize() : code;
  if (code != CUDA_SUCCESS) {
    return code;  // the program's to find out
  }
  Everything on_gpu = everything(true);
  write_contents(before.memory);
  give_arrays_to_cpu(before.arrays);
  CUresult cpu_code = run_on_cpu(joint, before.variables, arguments, launch);
  if (cpu_code != CUDA_SUCCESS) {
    state().stopped = format("not compared: the CPU's run of %s failed with error %d", kernel.c_str(), static_cast<int>(cpu_code));
    record.note = state().stopped;
    std::fprintf(stderr, "helicon compare: %s\n", state().stopped.c_str());
  } else {
    record.compared++;
    record.differing += report(kernel, record.launches, on_gpu, everything(false));
  }
  write_contents(on_gpu.memory);
  return CUDA_SUCCESS;
}

/// The table's launches, without their streams.
class PlainLaunch : public Launch {
public:
  explicit PlainLaunch(const CUlaunchConfig &config) : config_(config) { config_.hStream = nullptr; }
  CUresult on(const DriverTable &cu, CUfunction function, const Arguments &arguments) const override {
    return cu.LaunchKernelEx(&config_, function, arguments.params, arguments.extra);
  }

private:
  CUlaunchConfig config_;
};

CUlaunchConfig shape_of(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared) {
  CUlaunchConfig config{};
  config.gridDimX = gx;
  config.gridDimY = gy;
  config.gridDimZ = gz;
  config.blockDimX = bx;
  config.blockDimY = by;
  config.blockDimZ = bz;
  config.sharedMemBytes = shared;
  return config;
}

CUresult launch_kernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, CUstream stream, void **params, void **extra) {
  if (is_captured(stream)) {
    return below().LaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
  }
  return launch_with(shape_of(gx, gy, gz, bx, by, bz, shared), f, {params, extra});
}

CUresult launch_cooperative(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                            unsigned shared, CUstream stream, void **params) {
  if (is_captured(stream)) {
    return below().LaunchCooperativeKernel(f, gx, gy, gz, bx, by, bz, shared, stream, params);
  }
  CUlaunchAttribute cooperative{};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  CUlaunchConfig config = shape_of(gx, gy, gz, bx, by, bz, shared);
  config.attrs = &cooperative;
  config.numAttrs = 1;
  return launch_with(config, f, {params, nullptr});
}

CUresult launch_ex(const CUlaunchConfig *config, CUfunction f, void **params, void **extra) {
  if (config == nullptr || is_captured(config->hStream)) {
    return config == nullptr ? CUDA_ERROR_INVALID_VALUE : below().LaunchKernelEx(config, f, params, extra);
  }
  return launch_with(*config, f, {params, extra});
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

State &state() {
  static State *const made = new State;  // never destroyed: the summary is printed at exit
  return *made;
}

const DriverTable &gpu() { return side(state().gpu); }
const DriverTable &cpu() { return side(state().cpu); }
const DriverTable &below() { return plain; }

bool is_captured(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return gpu().StreamIsCapturing(stream, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

bool report_difference(const std::string &kernel, unsigned launch, const std::string &where,
                       const std::vector<char> &on_gpu, const std::vector<char> &on_cpu) {
  Difference difference = compare_memory(on_gpu.data(), on_cpu.data(), on_gpu.size(), state().tolerance);
  if (difference.elements == 0) {
    return false;
  }
  std::fprintf(stderr,
               "helicon compare: %s, launch %u\n"
               "    %s, byte %zu: %s\n"
               "    %zu of %zu elements differ, the worst by %.3g ulp\n",
               kernel.c_str(), launch, where.c_str(), difference.first, difference.text.c_str(), difference.elements,
               difference.compared, difference.worst_ulp);
  return true;
}

void note_launch_alone(const std::string &kernel, const std::string &why) {
  Lock lock(state().mutex);
  KernelRecord &record = state().records[kernel];
  record.launches++;
  record.note = why;
}

CUresult launch_on_both(CUfunction function, const Arguments &arguments, const Launch &launch) {
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
    return run_on_gpu(own, joint, arguments, launch);
  }
  return launch_and_report(own, joint, arguments, launch, kernel);
}

CUresult launch_with(const CUlaunchConfig &config, CUfunction function, const Arguments &arguments) {
  return launch_on_both(function, arguments, PlainLaunch(config));
}

}  // namespace comparing

bool put_compare_layer(DriverTable &table, std::string *error) {
  using namespace comparing;
  if (side_count() != 2 || foreign_side() != 0) {
    *error = "HELICON_COMPARE compares an NVIDIA GPU with the CPU, and needs the drivers nvidia and cpu";
    return false;
  }
  if (!Tolerance::parse(settings().compare, &state().tolerance)) {
    *error = "HELICON_COMPARE is '" + settings().compare + "', and should be 1 or a list like ulp=4,abs=1e-6";
    return false;
  }
  plain = table;
  table.DeviceGetCount = gpu().DeviceGetCount;
  table.LibraryGetGlobal = library_get_global;
  table.KernelGetFunction = kernel_get_function;
  table.FuncSetAttribute = func_set_attribute;
  table.LaunchKernel = launch_kernel;
  table.LaunchKernelEx = launch_ex;
  table.LaunchCooperativeKernel = launch_cooperative;
  put_memory_functions(table);
  put_object_functions(table);
  put_exec_functions(table);
  std::atexit(print_summary);
  return true;
}

}  // namespace hel::loader
