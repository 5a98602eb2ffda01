// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace hel::bench {
namespace opencl {
namespace {

void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "bench: %s: OpenCL error %d\n", what, status);
    exit(1);
  }
}

struct Session {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

/// Of the first CPU device; empty if there is none.
const Session &session() {
  static const Session made = [] {
    Session s;
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) {
      return s;
    }
    for (cl_uint i = 0; i < count && i < 8 && s.device == nullptr; i++) {
      clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &s.device, nullptr);
    }
    if (s.device != nullptr) {
      cl_int status = CL_SUCCESS;
      s.context = clCreateContext(nullptr, 1, &s.device, nullptr, nullptr, &status);
      check(status, "clCreateContext");
      s.queue = clCreateCommandQueue(s.context, s.device, 0, &status);
      check(status, "clCreateCommandQueue");
    }
    return s;
  }();
  return made;
}

void *allocate(size_t bytes) {
  cl_int status = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(session().context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  check(status, "clCreateBuffer");
  return memory;
}

void release(void *memory) { check(clReleaseMemObject(buffer(memory)), "clReleaseMemObject"); }

void upload(void *to, const void *from, size_t bytes) {
  check(clEnqueueWriteBuffer(session().queue, buffer(to), CL_TRUE, 0, bytes, from, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

void download(void *to, const void *from, size_t bytes) {
  check(clEnqueueReadBuffer(session().queue, buffer(from), CL_TRUE, 0, bytes, to, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
}

}  // namespace

bool available() { return session().device != nullptr; }

Kernel::Kernel(const char *source, const char *name) {
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(session().context, 1, &source, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &session().device, "", nullptr, nullptr) != CL_SUCCESS) {
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program, session().device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    fprintf(stderr, "bench: OpenCL kernel %s: %s\n", name, log.c_str());
    exit(1);
  }
  kernel_ = clCreateKernel(program, name, &status);
  check(status, "clCreateKernel");
}

void Kernel::set(unsigned index, size_t size, const void *value) {
  check(clSetKernelArg(kernel_, index, size, value), "clSetKernelArg");
}

void Kernel::launch(std::initializer_list<size_t> global, std::initializer_list<size_t> local) {
  check(clEnqueueNDRangeKernel(session().queue, kernel_, static_cast<cl_uint>(global.size()), nullptr, global.begin(),
                               local.begin(), 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(session().queue), "clFinish");
}

}  // namespace opencl

const Place &opencl_place() {
  static const Place place{opencl::allocate, opencl::release, opencl::upload, opencl::download};
  return place;
}

}  // namespace hel::bench
