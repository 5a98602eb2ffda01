// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros by which users know the compiler, without and with the options that define more.
// report: NVIDIA/cub#164
// RUN: %mcc -c %s -o %t.o
// RUN: %mcc -c -DMORE --extended-lambda --expt-relaxed-constexpr -G -rdc=true %s -o %t.o
// covers: C-5.3-01
#if !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ != 13 || __CUDACC_VER_MINOR__ != 0 || __CUDACC_VER_BUILD__ != 88
#error "the compiler's macros"
#endif
#if !defined(__HELICON__) || !defined(__NVCC__) || defined(__MUSACC__)
#error "which compiler this is"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900
#error "the architecture"
#endif
#ifdef MORE
#if !defined(__CUDACC_EXTENDED_LAMBDA__) || !defined(__CUDACC_RELAXED_CONSTEXPR__) || !defined(__CUDACC_DEBUG__) || !defined(__CUDACC_RDC__)
#error "the options' macros"
#endif
#elif defined(__CUDACC_EXTENDED_LAMBDA__) || defined(__CUDACC_RELAXED_CONSTEXPR__) || defined(__CUDACC_DEBUG__) || defined(__CUDACC_RDC__)
#error "macros of options that are not given"
#endif
__global__ void kernel() {}
