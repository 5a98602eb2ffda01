// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HELICON_COMPARE with managed variables, textures and surfaces (numbers in arguments and in memory), and graphs, whose kernels
// are compared one by one. The stand-in's code (-DGPU) is made to differ. A program saw none of these compared.
// REQUIRES: engine-warp
// RUN: %mcc -cudart none -shared -Xcompiler -fPIC %S/Inputs/fake_libcuda.cpp -o %t.fake.so && cp %toolkit/lib/libhelicon.so.0 %t.inner.so
// RUN: %mcc %s -o %t && %mcc -fatbin -DGPU=1 %s -o %t.fatbin && %mcc -fatbin -DGPU=0 %s -o %t.same.fatbin
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.fatbin HELICON_COMPARE=1 %run %t 1 2>&1 | %FileCheck %s
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.same.fatbin HELICON_COMPARE=1 %run %t 0 2>&1 | %FileCheck %s --check-prefix=SAME
// CHECK: helicon compare: count(int), launch 1
// CHECK-NEXT: buffer 0 (4 bytes at 0x{{[0-9a-f]+}}), byte 0: int GPU 11 (0x0000000b), CPU 10 (0x0000000a)
// CHECK: helicon compare: draw(unsigned long long), launch 1
// CHECK-NEXT: array {{[0-9]}} (8 x 4 x 1 texels), byte 16: float GPU 5, CPU 4 (
// CHECK: helicon compare: step(int*, int), launch 3
// CHECK: launches  compared  different  kernel
// CHECK-NEXT: 1 1 1 count(int)
// CHECK-NEXT: 1 1 1 draw(unsigned long long)
// CHECK-NEXT: 1 1 0 gather(float*, unsigned long long const*)
// CHECK-NEXT: 2 2 0 sample(float*, unsigned long long)
// CHECK-NEXT: 5 5 2 step(int*, int)
// SAME-NOT: , launch
// SAME: launches  compared  different  kernel
// SAME-NEXT: 1 1 0 count(int)
// SAME-NEXT: 1 1 0 draw(unsigned long long)
// SAME-NEXT: 1 1 0 gather(float*, unsigned long long const*)
// SAME-NEXT: 2 2 0 sample(float*, unsigned long long)
// SAME-NEXT: 5 5 0 step(int*, int)
#include "check.h"

#ifndef GPU
#define GPU 0
#endif

__managed__ int total;

__global__ void count(int n) { total = n + GPU; }

__global__ void sample(float *out, cudaTextureObject_t image) { out[threadIdx.x] = tex2D<float>(image, threadIdx.x + 0.5f, 1.5f); }

__global__ void gather(float *out, const cudaTextureObject_t *images) {
  out[threadIdx.x] = tex2D<float>(images[threadIdx.x & 1], threadIdx.x + 0.5f, 0.5f);
}

__global__ void draw(cudaSurfaceObject_t canvas) {
  float value = threadIdx.x + (GPU && threadIdx.x == 4);
  surf2Dwrite(value, canvas, threadIdx.x * 4, 0);
}

// From the second launch on with a difference of 2.
__global__ void step(int *p, int by) { *p += by + (GPU && *p >= 100 ? 2 : 0); }

static cudaTextureObject_t texture_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc desc = {};
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  return texture;
}

static void textures(int differs) {
  float host[4][8], back[8], *out;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  for (int i = 0; i < 32; ++i) host[i / 8][i % 8] = i * 1.5f;
  CHECK_CUDA(cudaMalloc(&out, sizeof back));
  CHECK_CUDA(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore));
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice));
  cudaTextureObject_t image = texture_of(array), other = texture_of(array);
  sample<<<1, 8>>>(out, image);
  CHECK_CUDA(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[3], host[1][3]);
  // What the program changes later, the CPU sees too.
  host[1][3] = 99;
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice));
  sample<<<1, 8>>>(out, image);
  CHECK_CUDA(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[3], 99.0f);
  // Numbers in memory.
  cudaTextureObject_t numbers[2] = {image, other}, *in_memory;
  CHECK_CUDA(cudaMalloc(&in_memory, sizeof numbers));
  CHECK_CUDA(cudaMemcpy(in_memory, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  gather<<<1, 8>>>(out, in_memory);
  CHECK_CUDA(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[5], host[0][5]);
  CHECK_CUDA(cudaMemcpy(numbers, in_memory, sizeof numbers, cudaMemcpyDeviceToHost));
  CHECK(numbers[0] == image && numbers[1] == other);
  cudaResourceDesc resource = {};
  CHECK_CUDA(cudaGetTextureObjectResourceDesc(&resource, image));
  CHECK(resource.res.array.array == array);
  // A surface: the program keeps what the GPU drew.
  cudaSurfaceObject_t canvas = 0;
  CHECK_CUDA(cudaCreateSurfaceObject(&canvas, &resource));
  draw<<<1, 8>>>(canvas);
  CHECK_CUDA(cudaMemcpy2DFromArray(back, 32, array, 0, 0, 32, 1, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[4], 4.0f + differs);
  CHECK_CUDA(cudaDestroySurfaceObject(canvas));
  CHECK_CUDA(cudaDestroyTextureObject(image));
  CHECK_CUDA(cudaDestroyTextureObject(other));
  CHECK_CUDA(cudaFreeArray(array));
}

static void called(void *data) { *static_cast<int *>(data) += 1; }

static void graphs(int differs) {
  int *p, calls = 0, value = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK_CUDA(cudaMalloc(&p, 4));
  CHECK_CUDA(cudaMemset(p, 0, 4));
  CHECK_CUDA(cudaStreamCreate(&stream));
  step<<<1, 1, 0, stream>>>(p, 1);  // outside of any graph
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaMemsetAsync(p, 0, 4, stream));
  step<<<1, 1, 0, stream>>>(p, 100);
  step<<<1, 1, 0, stream>>>(p, 20);
  CHECK_CUDA(cudaLaunchHostFunc(stream, called, &calls));
  CHECK_CUDA(cudaMemcpyAsync(&value, p, 4, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_EQ(calls, 0);
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphDestroy(graph));
  for (int i = 0; i < 2; ++i) CHECK_CUDA(cudaGraphLaunch(exec, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(value, 120 + 2 * differs);
  CHECK_EQ(calls, 2);
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaFree(p));
}

int main(int, char **argv) {
  int differs = argv[1][0] == '1';
  count<<<1, 1>>>(10);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(total, 10 + differs);
  textures(differs);
  graphs(differs);
  return check_report();
}
