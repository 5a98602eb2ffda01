// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the compare layer share (compare.h).
#pragma once

#include "base/mutex.h"
#include "helicon/gen/driver_table.h"
#include "loader/difference.h"
#include "loader/dispatch.h"

#include <map>
#include <string>
#include <vector>

namespace hel::loader::comparing {

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

/// Contents of memory, of variables or of arrays, in the order of their maps.
using Contents = std::vector<std::vector<char>>;

/// Everything is under one mutex: launches are compared one at a time.
struct State {
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

State &state();
const DriverTable &gpu();
const DriverTable &cpu();
/// The table that the layer was put on.
const DriverTable &below();

/// True while what is queued in the stream is recorded, not done.
bool is_captured(CUstream stream);

/// Remembers memory that both sides can reach.
void note_buffer(CUdeviceptr address, size_t bytes);

/// A kernel's arguments, as a launch has them.
struct Arguments {
  void **params;
  void **extra;
};

/// Launches a kernel on one side, in its null stream.
class Launch {
public:
  virtual ~Launch() = default;
  virtual CUresult on(const DriverTable &cu, CUfunction function, const Arguments &arguments) const = 0;
};

/// Runs a kernel on the GPU and on the CPU, from the same memory, and reports what differs.
CUresult launch_on_both(CUfunction function, const Arguments &arguments, const Launch &launch);
/// The launch of a plain kernel, as cuLaunchKernelEx has it.
CUresult launch_with(const CUlaunchConfig &config, CUfunction function, const Arguments &arguments);

/// A kernel that the GPU runs alone, and why.
void note_launch_alone(const std::string &kernel, const std::string &why);

/// The difference of two pieces of memory, reported; true if there is one.
bool report_difference(const std::string &kernel, unsigned launch, const std::string &where,
                       const std::vector<char> &on_gpu, const std::vector<char> &on_cpu) HEL_REQUIRES(state().mutex);

// --- textures and surfaces: a program sees the CPU's numbers, the GPU is given its own

/// Arrays that both sides have, as the GPU and as the CPU has them.
Contents read_arrays(bool of_gpu) HEL_REQUIRES(state().mutex);
void give_arrays_to_cpu(const Contents &contents) HEL_REQUIRES(state().mutex);
bool report_arrays(const std::string &kernel, unsigned launch, const Contents &on_gpu, const Contents &on_cpu)
    HEL_REQUIRES(state().mutex);

/// While it lives, arguments and memory have the GPU's numbers of texture and surface objects in the place of the
/// CPU's.
class GpuNumbers {
public:
  /// `sizes`: of the kernel's parameters; empty where they are not known.
  GpuNumbers(const Arguments &arguments, const std::vector<size_t> &sizes) HEL_REQUIRES(state().mutex);
  ~GpuNumbers();
  GpuNumbers(const GpuNumbers &) = delete;
  GpuNumbers &operator=(const GpuNumbers &) = delete;
  const Arguments &arguments() const { return own_; }

private:
  struct Replaced {
    unsigned long long *place;
    unsigned long long on_cpu, on_gpu;
  };
  void replace_in(char *bytes, size_t count, bool restore);
  std::vector<Replaced> replaced_;
  std::vector<std::vector<char>> values_;
  std::vector<void *> params_;
  std::vector<void *> extra_;
  size_t extra_bytes_ = 0;
  Arguments own_;
};

/// True if the program has made texture or surface objects.
bool has_objects();

// Each replaces the functions of its subject.
void put_memory_functions(DriverTable &table);
void put_object_functions(DriverTable &table);
void put_exec_functions(DriverTable &table);

}  // namespace hel::loader::comparing
