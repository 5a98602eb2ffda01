// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A MUSA program sees no CUDA name: every one of these is free for the program to use.
#include <musa.h>
#include <musa_runtime.h>

enum cudaError { mine };
struct CUstream_st;
typedef int cudaStream_t;
typedef int CUresult;
inline cudaStream_t cudaMalloc() { return 0; }
inline CUresult cuMemAlloc() { return 0; }
#if defined(CUDA_VERSION) || defined(CUDART_VERSION) || defined(cudaStreamDefault)
#error "a CUDA macro in a MUSA header"
#endif

int use(musaStream_t stream) { return musaStreamSynchronize(stream) + cudaMalloc() + cuMemAlloc() + mine; }
