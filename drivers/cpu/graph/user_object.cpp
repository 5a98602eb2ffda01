// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User objects and their entry points.
#include "drivers/cpu/graph/user_object.h"

#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/command.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/exec/worker_pool.h"
#include "drivers/cpu/graph/graph.h"
#include "helicon/gen/cpu_impl.h"

#include <limits>

namespace hel::cpu {
namespace {

/// The destructor runs like a host function: on the thread for those, where API calls are not permitted.
struct Destruction {
  CUhostFn destroy;
  void *object;
};

void destroy_later(CUhostFn destroy, void *object) {
  exec::Task task{};
  task.kind = exec::TaskKind::Host;
  task.user = new Destruction{destroy, object};
  task.run = [](void *user) {
    const std::unique_ptr<Destruction> destruction(static_cast<Destruction *>(user));
    in_host_function = true;
    destruction->destroy(destruction->object);
    in_host_function = false;
  };
  exec::WorkerPool::instance().submit(task);
}

Result<void> check_count(unsigned count) {
  if (count == 0 || count > static_cast<unsigned>(std::numeric_limits<int>::max())) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%u references", count);
  }
  return {};
}

/// Takes `count` from a counter that has as many.
bool subtract(std::atomic<uint64_t> &counter, unsigned count) {
  uint64_t now = counter.load();
  do {
    if (now < count) {
      return false;
    }
  } while (!counter.compare_exchange_weak(now, now - count));
  return true;
}

}  // namespace

bool UserObject::release(unsigned count) {
  if (!subtract(owned_, count)) {
    return false;
  }
  drop(count);
  return true;
}

bool UserObject::move_to_graph(unsigned count) { return subtract(owned_, count); }

void UserObject::drop(unsigned count) {
  if (references_.fetch_sub(count) == count) {
    destroy_later(destroy_, object_);
    (void)retire<UserObject>(handle());
  }
}

Result<void> user_object_create(CUuserObject *object_out, void *ptr, CUhostFn destroy, unsigned int initialRefcount,
                                unsigned int flags) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(object_out, "object_out"));
  HEL_TRY(check_count(initialRefcount));
  if (destroy == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "destroy is null");
  }
  if (flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%x: CU_USER_OBJECT_NO_DESTRUCTOR_SYNC is required", flags);
  }
  *object_out = HEL_TRY(publish(new UserObject(ptr, destroy, initialRefcount)))->handle();
  return {};
}

Result<void> user_object_retain(CUuserObject object, unsigned int count) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_count(count));
  HEL_TRY(find<UserObject>(object))->retain(count);
  return {};
}

Result<void> user_object_release(CUuserObject object, unsigned int count) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_count(count));
  Ref<UserObject> found = HEL_TRY(find<UserObject>(object));
  if (!found->release(count)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the program does not have %u references to the object", count);
  }
  return {};
}

Result<void> graph_retain_user_object(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
  HEL_TRY(check_count(count));
  HEL_TRY(check_flags(flags, CU_GRAPH_USER_OBJECT_MOVE));
  Lock lock(graph_mutex);
  Ref<Graph> owner = HEL_TRY(find_graph(graph));
  Ref<UserObject> found = HEL_TRY(find<UserObject>(object));
  if (flags == CU_GRAPH_USER_OBJECT_MOVE) {
    if (!found->move_to_graph(count)) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the program does not have %u references to the object", count);
    }
  } else {
    found->graph_retain(count);
  }
  owner->objects[found] += count;
  return {};
}

Result<void> graph_release_user_object(CUgraph graph, CUuserObject object, unsigned int count) {
  HEL_TRY(check_count(count));
  Lock lock(graph_mutex);
  Ref<Graph> owner = HEL_TRY(find_graph(graph));
  Ref<UserObject> found = HEL_TRY(find<UserObject>(object));
  auto kept = owner->objects.find(found);
  if (kept == owner->objects.end() || kept->second < count) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the graph does not have %u references to the object", count);
  }
  kept->second -= count;
  if (kept->second == 0) {
    owner->objects.erase(kept);
  }
  found->graph_release(count);
  return {};
}

}  // namespace hel::cpu
