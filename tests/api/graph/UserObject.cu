// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User objects: kept by graphs, their copies and executable graphs, until nobody needs them.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.8-01
#include "check.h"

#include <atomic>

static std::atomic<int> destroyed{0};
static void destroy(void *p) { destroyed += *static_cast<int *>(p); }

/// Destructors run on the thread of host functions, which is through with them when it has called this one.
static bool gone(int expected) {
  std::atomic<bool> called{false};
  CHECK_CUDA(cudaLaunchHostFunc(0, [](void *p) { *static_cast<std::atomic<bool> *>(p) = true; }, &called));
  CHECK_CUDA(cudaStreamSynchronize(0));
  return called && destroyed == expected;
}

int main() {
  int one = 1, ten = 10;
  cudaUserObject_t object, other;
  CHECK_ERROR(cudaUserObjectCreate(nullptr, &one, destroy, 1, cudaUserObjectNoDestructorSync), cudaErrorInvalidValue);
  CHECK_ERROR(cudaUserObjectCreate(&object, &one, (cudaHostFn_t) nullptr, 1, cudaUserObjectNoDestructorSync),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaUserObjectCreate(&object, &one, destroy, 0, cudaUserObjectNoDestructorSync), cudaErrorInvalidValue);
  CHECK_ERROR(cudaUserObjectCreate(&object, &one, destroy, 1, 0), cudaErrorInvalidValue);
  REQUIRE_CUDA(cudaUserObjectCreate(&object, &one, destroy, 1, cudaUserObjectNoDestructorSync));
  CHECK_CUDA(cudaUserObjectRetain(object, 2));
  CHECK_ERROR(cudaUserObjectRetain(object, 0), cudaErrorInvalidValue);
  CHECK_OWN_ERROR(cudaUserObjectRelease(object, 9), cudaErrorInvalidValue);
  CHECK_CUDA(cudaUserObjectRelease(object, 2));

  cudaGraph_t graph, clone;
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  CHECK_OWN_ERROR(cudaGraphRetainUserObject(graph, object, 2, cudaGraphUserObjectMove), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphRetainUserObject(graph, nullptr, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphRetainUserObject(graph, object, 1, 8), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK_OWN_ERROR(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);  // the graph has it now
  CHECK_CUDA(cudaGraphRetainUserObject(graph, object, 1, 0));
  CHECK_CUDA(cudaGraphReleaseUserObject(graph, object, 1));
  CHECK_OWN_ERROR(cudaGraphReleaseUserObject(graph, object, 5), cudaErrorInvalidValue);

  cudaGraphExec_t exec;
  CHECK_CUDA(cudaGraphClone(&clone, graph));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(gone(0));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK(gone(0));
  CHECK_CUDA(cudaGraphLaunch(exec, 0));
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(gone(0));
  CHECK_CUDA(cudaGraphDestroy(clone));
  CHECK(gone(1));
  CHECK_OWN_ERROR(cudaUserObjectRetain(object, 1), cudaErrorInvalidValue);

  REQUIRE_CUDA(cudaUserObjectCreate(&other, &ten, destroy, 3, cudaUserObjectNoDestructorSync));
  CHECK_CUDA(cudaUserObjectRelease(other, 3));
  CHECK(gone(11));
  return check_report();
}
