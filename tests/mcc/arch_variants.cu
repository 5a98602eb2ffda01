// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros of architectures with a variant: sm_100a is specific to itself and to its family, sm_100f to its family, sm_100 to
// neither; the host pass has none of them.
// RUN: %mcc -c -arch=sm_90 -DARCH=900 %s -o %t.o
// RUN: %mcc -c -arch=sm_90a -DARCH=900 -DSPECIFIC=900 -DFAMILY=900 %s -o %t.o
// RUN: %mcc -c -arch=sm_100a -DARCH=1000 -DSPECIFIC=1000 -DFAMILY=1000 %s -o %t.o
// RUN: %mcc -c -arch=sm_100f -DARCH=1000 -DFAMILY=1000 %s -o %t.o
// RUN: %mcc -c --generate-code arch=compute_103f,code=sm_103f -DARCH=1030 -DFAMILY=1030 %s -o %t.o
// covers: C-5.4.7.2-01
#ifdef __CUDA_ARCH__
static_assert(__CUDA_ARCH__ == ARCH, "the architecture");
#ifdef __CUDA_ARCH_SPECIFIC__
static_assert(__CUDA_ARCH_SPECIFIC__ == SPECIFIC, "what only this architecture has");
#elif defined(SPECIFIC)
#error "the specific macro is missing"
#endif
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
static_assert(__CUDA_ARCH_FAMILY_SPECIFIC__ == FAMILY, "what this family has");
#elif defined(FAMILY)
#error "the family's macro is missing"
#endif
#elif defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
#error "macros of device code in the host pass"
#endif

__global__ void kernel(int *p) { *p = 1; }
