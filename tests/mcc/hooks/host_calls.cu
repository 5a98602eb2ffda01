// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host function called from a __host__ __device__ one: a warning, and a trap on the device.
// RUN: %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %mcc -simt-ir %s -o - 2>/dev/null | %FileCheck --check-prefix=IR %s
// RUN: %mcc -c -w %s -o %t.o 2>&1 | count 0
// RUN: %mcc -c -diag-suppress 20014 %s -o %t.o 2>&1 | count 0
// RUN: not %mcc -c -Werror cross-execution-space-call %s -o %t.o 2>&1 | %FileCheck --check-prefix=ERROR %s
// RUN: not %mcc -c -Werror all-warnings %s -o %t.o 2>&1 | %FileCheck --check-prefix=ERROR %s
// covers: C-5.4.1.1-01
void on_host();

__host__ __device__ void both() {
  // CHECK: host_calls.cu:[[@LINE+2]]:3: warning: calling the __host__ function 'on_host' from the __host__ __device__ function 'both'
  // ERROR: host_calls.cu:[[@LINE+1]]:3: error: calling the __host__ function 'on_host'
  on_host();
}

template <typename T> __host__ __device__ void instantiated(T) {
  // CHECK: host_calls.cu:[[@LINE+1]]:3: warning: calling the __host__ function 'on_host'
  on_host();
}

template <typename T> __host__ __device__ void never_instantiated(T) { on_host(); }

__global__ void kernel() {
  both();
  instantiated(1);
}
// CHECK: 2 warnings generated.
// IR: declare {{.*}}void @_Z7on_hostv() [[ATTRIBUTES:#[0-9]+]]
// IR: attributes [[ATTRIBUTES]] = { {{.*}}"hl.host"
