/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The C headers of both spellings in one translation unit of plain C. */
#include <cuComplex.h>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <muComplex.h>
#include <musa.h>
#include <musaProfiler.h>
#include <musa_library_types.h>
#include <musa_profiler_api.h>
#include <musa_runtime_api.h>
#include <vector_functions.h>

struct musaDeviceProp properties;
enum musaMemcpyKind kind = musaMemcpyHostToDevice;
static cudaStream_t stream = cudaStreamPerThread;

int use(void) {
  dim3 grid = {1, 2, 3};
  float4 v = make_float4(1, 2, 3, 4);
  CUresult (*alloc)(CUdeviceptr *, size_t) = cuMemAlloc;
  MUresult (*mu_alloc)(MUdeviceptr *, size_t) = muMemAlloc;
  cuDoubleComplex z = cuCmul(make_cuDoubleComplex(1, 2), cuConj(make_muDoubleComplex(3, 4)));
  return (stream != 0) + (int)cuCabs(z) + (int)muCreal(z) + (int)grid.x + (int)v.x + (alloc != 0) + (mu_alloc != 0);
}
