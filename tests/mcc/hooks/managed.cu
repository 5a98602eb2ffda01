// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __managed__ variables are one pointer that the run time fills, and their first contents.
// RUN: %mcc -simt-ir %s -o - | %FileCheck --check-prefix=DEVICE %s
// RUN: %mcc -c %s -o %t.o && llvm-nm %t.o | %FileCheck --check-prefix=HOST %s
// covers: C-2.1.4-01
__managed__ int counter = 3;
__device__ __managed__ float table[4];
// DEVICE-DAG: @counter = {{.*}}addrspace(1) externally_initialized global ptr
// DEVICE-DAG: @counter.managed = {{.*}}addrspace(1) {{.*}}i32 3
// HOST: U __cudaRegisterManagedVar
__global__ void kernel() { counter += static_cast<int>(table[0]); }
int read() { return counter; }
