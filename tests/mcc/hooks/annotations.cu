// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch attributes reach the kernel: in PTX as directives.
// RUN: %mcc -ptx %s -o - | %FileCheck %s
// RUN: %mcc -c %s -o %t.o
// covers: C-5.4.3.1-01
// CHECK: .entry _Z7clusterv
// CHECK: .reqnctapercluster 2, 1, 1
__global__ void __cluster_dims__(2, 1, 1) cluster() {}
// CHECK: .entry _Z5blockv
// CHECK: .reqntid 128, 2, 1
__global__ void __block_size__((128, 2, 1)) block() {}
// CHECK: .entry _Z9registersv
// CHECK: .maxnreg 32
__global__ void __maxnreg__(32) registers() {}
// CHECK: .entry _Z6boundsv
// CHECK: .maxntid 64
// CHECK: .minnctapersm 2
__global__ void __launch_bounds__(64, 2) bounds() {}
// CHECK: .entry _Z7dependsILi4EEvv
// CHECK: .reqnctapercluster 4, 1, 1
template <int N> __global__ void __cluster_dims__(N) depends() {}
template __global__ void depends<4>();
