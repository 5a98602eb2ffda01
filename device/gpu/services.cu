// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The services of abi/engine.h that library and headers call, on a GPU: most lead to the driver's system functions.
#include "device/lib/lib.h"

extern "C" {
__device__ int vprintf(const char *format, const void *arguments);
__device__ void *system_malloc(size_type bytes) __asm__("malloc");
__device__ void system_free(void *pointer) __asm__("free");
__device__ void *__cuda_syscall_aligned_malloc(size_type bytes, size_type alignment);
__device__ __attribute__((noreturn)) void __assertfail(const char *message, const char *file, uint32 line,
                                                       const char *function, size_type character_bytes);
}

#define GPU_SERVICE extern "C" __device__

GPU_SERVICE int __hl_vprintf(const char *format, const void *arguments) { return vprintf(format, arguments); }
GPU_SERVICE void *__hl_malloc(size_type bytes) { return system_malloc(bytes); }
GPU_SERVICE void __hl_free(void *pointer) { system_free(pointer); }
GPU_SERVICE void *__hl_aligned_malloc(size_type bytes, size_type alignment) {
  return __cuda_syscall_aligned_malloc(bytes, alignment);
}
GPU_SERVICE __attribute__((noreturn)) void __hl_assert_fail(const char *message, const char *file, uint32 line,
                                                            const char *function) {
  __assertfail(message, file, line, function, 1);
}
GPU_SERVICE __attribute__((noreturn)) void __hl_trap() { __builtin_trap(); }
/// What an abstract class's table of functions holds.
GPU_SERVICE __attribute__((noreturn)) void __cxa_pure_virtual() { __builtin_trap(); }
GPU_SERVICE __attribute__((noreturn)) void __cxa_deleted_virtual() { __builtin_trap(); }
GPU_SERVICE __attribute__((noreturn)) void __hl_exit() {
  __nvvm_exit();
  __builtin_unreachable();
}
GPU_SERVICE __attribute__((noreturn)) void __hl_fault(const char *what) {
  vprintf("helicon: %s\n", &what);
  __builtin_trap();
}
GPU_SERVICE __attribute__((noreturn)) void __hl_unsupported(const char *what) {
  vprintf("helicon: device code uses %s, which is not supported\n", &what);
  __builtin_trap();
}
GPU_SERVICE uint32 __hl_sm_id() { return static_cast<uint32>(__nvvm_read_ptx_sreg_smid()); }
GPU_SERVICE uint32 __hl_sm_count() { return static_cast<uint32>(__nvvm_read_ptx_sreg_nsmid()); }
