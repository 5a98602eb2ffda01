// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups that a launch makes: thread_block, cluster_group, grid_group; and thread_group, the type that any group
// converts to.
#ifndef __HELICON_COOPERATIVE_GROUPS_H__
#define __HELICON_COOPERATIVE_GROUPS_H__

namespace cooperative_groups::__v1 {

class thread_block;
class coalesced_group;
class grid_group;
class cluster_group;
template <unsigned int Size, typename ParentT = void> class thread_block_tile;

namespace details {
/// Which group a thread_group stands for. The numbers are those that get_type() gives.
enum group_id { coalesced_group_id = 0, grid_group_id = 2, thread_block_id = 3, multi_tile_group_id = 4, cluster_group_id = 5 };
}  // namespace details

/// Any group, its kind known at run time. For warp-level groups `mask_` holds the lanes.
class thread_group {
public:
  __HELICON_CG unsigned long long size() const;
  __HELICON_CG unsigned long long num_threads() const { return size(); }
  __HELICON_CG unsigned long long thread_rank() const;
  __HELICON_CG void sync() const;
  __HELICON_CG unsigned int get_type() const { return kind_; }

protected:
  __HELICON_CG explicit thread_group(details::group_id kind, unsigned int mask = 0, unsigned int meta_rank = 0,
                                     unsigned int meta_size = 1)
      : kind_(kind), mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  details::group_id kind_;
  unsigned int mask_;
  unsigned int meta_rank_, meta_size_;  ///< place among the parts of the group that was divided
};

class thread_block : public thread_group {
public:
  struct arrival_token {};
  static constexpr unsigned int _group_id = details::thread_block_id;

  static __HELICON_CG void sync() { __syncthreads(); }
  static __HELICON_CG unsigned int size() { return details::block_size(); }
  static __HELICON_CG unsigned int num_threads() { return details::block_size(); }
  static __HELICON_CG unsigned int thread_rank() { return details::block_rank(); }
  static __HELICON_CG dim3 group_index() { return blockIdx; }
  static __HELICON_CG dim3 thread_index() { return threadIdx; }
  static __HELICON_CG dim3 group_dim() { return blockDim; }
  static __HELICON_CG dim3 dim_threads() { return blockDim; }
  /// Arriving waits too: the phases of the barrier keep their order, and nothing may be done between that needs more.
  __HELICON_CG arrival_token barrier_arrive() const {
    __syncthreads();
    return {};
  }
  __HELICON_CG void barrier_wait(arrival_token &&) const {}

protected:
  friend __device__ thread_block this_thread_block();
  __HELICON_CG thread_block() : thread_group(details::thread_block_id) {}
};
__HELICON_CG thread_block this_thread_block() { return thread_block(); }

/// Room that wide tiles need on some devices; here they find their own.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
  char unused;
};
template <unsigned int MaxBlockSize>
__HELICON_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return this_thread_block();
}
namespace experimental {
using __v1::block_tile_memory;
using __v1::this_thread_block;
}  // namespace experimental

class cluster_group : public thread_group {
public:
  struct arrival_token {};
  static constexpr unsigned int _group_id = details::cluster_group_id;

  /// Blocks of a cluster do not meet yet: a cluster of several blocks is refused, a block alone is its cluster.
  static __HELICON_CG void sync() {
    require_one_block("a barrier of several blocks of a cluster");
    __syncthreads();
  }
  /// This block's own shared memory, as block `rank` sees it: there is no other block.
  template <typename T> static __HELICON_CG T *map_shared_rank(T *address, [[maybe_unused]] int rank) {
    require_one_block("shared memory of several blocks of a cluster");
    return address;
  }
  static __HELICON_CG unsigned int query_shared_rank(const void *) {
    require_one_block("shared memory of several blocks of a cluster");
    return 0;
  }
  static __HELICON_CG arrival_token barrier_arrive() {
    sync();
    return {};
  }
  static __HELICON_CG void barrier_wait() {}
  static __HELICON_CG void barrier_wait(arrival_token &&) {}
  static __HELICON_CG unsigned int block_rank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
  static __HELICON_CG unsigned int num_blocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
  static __HELICON_CG dim3 block_index() {
    return dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(),
                __nvvm_read_ptx_sreg_cluster_ctaid_z());
  }
  static __HELICON_CG dim3 dim_blocks() {
    return dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(),
                __nvvm_read_ptx_sreg_cluster_nctaid_z());
  }
  static __HELICON_CG unsigned int num_threads() { return num_blocks() * details::block_size(); }
  static __HELICON_CG unsigned int size() { return num_threads(); }
  static __HELICON_CG unsigned int thread_rank() { return block_rank() * details::block_size() + details::block_rank(); }
  static __HELICON_CG dim3 dim_threads() {
    dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static __HELICON_CG dim3 thread_index() {
    dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }

protected:
  friend __device__ cluster_group this_cluster();
  __HELICON_CG cluster_group() : thread_group(details::cluster_group_id) {}

private:
  static __HELICON_CG void require_one_block(const char *what) {
    if (num_blocks() != 1) {
      __hl_unsupported(what);
    }
  }
};
__HELICON_CG cluster_group this_cluster() { return cluster_group(); }

class grid_group : public thread_group {
public:
  struct arrival_token {};
  static constexpr unsigned int _group_id = details::grid_group_id;

  __HELICON_CG bool is_valid() const { return __hl_is_cooperative() != 0; }
  __HELICON_CG void sync() const { __hl_grid_sync(); }
  __HELICON_CG arrival_token barrier_arrive() const {
    __hl_grid_sync();
    return {};
  }
  __HELICON_CG void barrier_wait(arrival_token &&) const {}
  static __HELICON_CG unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __HELICON_CG unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static __HELICON_CG unsigned long long num_threads() { return num_blocks() * details::block_size(); }
  static __HELICON_CG unsigned long long size() { return num_threads(); }
  static __HELICON_CG unsigned long long thread_rank() {
    return block_rank() * details::block_size() + details::block_rank();
  }
  static __HELICON_CG dim3 dim_blocks() { return gridDim; }
  static __HELICON_CG dim3 group_dim() { return gridDim; }
  static __HELICON_CG dim3 block_index() { return blockIdx; }
  static __HELICON_CG dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static __HELICON_CG dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  static __HELICON_CG dim3 dim_clusters() {
    return dim3(__nvvm_read_ptx_sreg_nclusterid_x(), __nvvm_read_ptx_sreg_nclusterid_y(),
                __nvvm_read_ptx_sreg_nclusterid_z());
  }
  static __HELICON_CG dim3 cluster_index() {
    return dim3(__nvvm_read_ptx_sreg_clusterid_x(), __nvvm_read_ptx_sreg_clusterid_y(),
                __nvvm_read_ptx_sreg_clusterid_z());
  }
  static __HELICON_CG unsigned int num_clusters() {
    dim3 d = dim_clusters();
    return d.x * d.y * d.z;
  }
  static __HELICON_CG unsigned int cluster_rank() {
    dim3 d = dim_clusters(), c = cluster_index();
    return (c.z * d.y + c.y) * d.x + c.x;
  }

protected:
  friend __device__ grid_group this_grid();
  __HELICON_CG grid_group() : thread_group(details::grid_group_id) {}
};
__HELICON_CG grid_group this_grid() { return grid_group(); }

__HELICON_CG unsigned long long thread_group::size() const {
  return kind_ == details::thread_block_id   ? thread_block::size()
         : kind_ == details::grid_group_id    ? grid_group::size()
         : kind_ == details::cluster_group_id ? cluster_group::size()
                                              : static_cast<unsigned long long>(__popc(mask_));
}
__HELICON_CG unsigned long long thread_group::thread_rank() const {
  return kind_ == details::thread_block_id   ? thread_block::thread_rank()
         : kind_ == details::grid_group_id    ? grid_group::thread_rank()
         : kind_ == details::cluster_group_id ? cluster_group::thread_rank()
                                              : static_cast<unsigned long long>(__popc(mask_ & details::lanes_below()));
}
__HELICON_CG void thread_group::sync() const {
  switch (kind_) {
    case details::thread_block_id: return thread_block::sync();
    case details::grid_group_id: return __hl_grid_sync();
    case details::cluster_group_id: return cluster_group::sync();
    default: return __syncwarp(mask_);
  }
}

template <typename GroupT> __HELICON_CG void sync(const GroupT &g) { g.sync(); }
template <typename GroupT> __HELICON_CG auto thread_rank(const GroupT &g) -> decltype(g.thread_rank()) {
  return g.thread_rank();
}
template <typename GroupT> __HELICON_CG auto group_size(const GroupT &g) -> decltype(g.num_threads()) {
  return g.num_threads();
}

}  // namespace cooperative_groups::__v1

#endif
