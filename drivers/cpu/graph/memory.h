// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of allocation nodes. Its address is fixed when the node is made and stays while a graph or executable graph
// has the node, and beyond that while the memory is allocated: between the run of an allocation node and that of a free
// node, or a free by the program.
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/memory/pool.h"

#include <cuda.h>

#include <memory>
#include <unordered_map>

namespace hel::cpu {

/// Keeps count of the graph memory of a device. Frees of the program arrive here as at any pool.
class GraphPool : public MemPool {
public:
  explicit GraphPool(Device &device) : MemPool(place_of(device), 0) {}
  bool takes_early() const override { return false; }
  void give_back(Allocation &allocation, const LastUse &) override;

  Result<Allocation *> reserve(Context &context, size_t bytes);
  /// An allocation node, or a free node, has run.
  void allocated(Allocation &allocation);
  /// No graph has the node any more.
  void abandon(Allocation &allocation, uint64_t buffer_id);
  /// Gives the pages of memory that is not allocated back to the system.
  void trim_graphs();
  Result<uint64_t> graph_attribute(CUgraphMem_attribute which);
  Result<void> reset_high(CUgraphMem_attribute which);

private:
  struct Entry {
    uint64_t buffer_id;
    size_t bytes;
    bool in_use = false;    ///< counted as used
    bool reserved = false;  ///< counted as reserved
    bool abandoned = false;
  };
  void forget(const Entry &entry) HEL_REQUIRES(graph_mutex_);
  void drop(Allocation &allocation, const Entry &entry);

  Mutex graph_mutex_;
  std::unordered_map<Allocation *, Entry> entries_ HEL_GUARDED_BY(graph_mutex_);
  uint64_t used_ HEL_GUARDED_BY(graph_mutex_) = 0, used_high_ HEL_GUARDED_BY(graph_mutex_) = 0;
  uint64_t reserved_ HEL_GUARDED_BY(graph_mutex_) = 0, reserved_high_ HEL_GUARDED_BY(graph_mutex_) = 0;
};

Result<Ref<GraphPool>> graph_pool(Device &device);

/// The memory of one allocation node, shared by the node, the nodes that free it, and their executable graphs.
class GraphAllocation {
public:
  GraphAllocation(Ref<GraphPool> pool, Allocation &allocation)
      : pool_(std::move(pool)), allocation_(allocation), buffer_id_(allocation.buffer_id) {}
  ~GraphAllocation() { pool_->abandon(allocation_, buffer_id_); }
  GraphAllocation(const GraphAllocation &) = delete;
  GraphAllocation &operator=(const GraphAllocation &) = delete;

  CUdeviceptr address() const { return allocation_.base; }
  /// False when its context is gone.
  bool valid() const { return allocation_.live.load() && allocation_.buffer_id == buffer_id_; }
  /// The state as of the launches and frees so far. Both return what it was.
  bool mark_allocated() { return !allocation_.free_queued.exchange(false); }
  bool mark_freed() { return !allocation_.free_queued.exchange(true); }
  bool is_allocated() const { return !allocation_.free_queued.load(); }
  // When the stream gets there:
  void allocate_now() { pool_->allocated(allocation_); }
  void free_now() { pool_->give_back(allocation_, {}); }

private:
  const Ref<GraphPool> pool_;
  Allocation &allocation_;
  const uint64_t buffer_id_;
};

/// The memory that some living allocation node has at `pointer`; null if there is none.
std::shared_ptr<GraphAllocation> find_graph_allocation(CUdeviceptr pointer);
Result<std::shared_ptr<GraphAllocation>> make_graph_allocation(Context &context, size_t bytes);

}  // namespace hel::cpu
