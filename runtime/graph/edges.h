// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edge data, which both interfaces lay out alike.
#pragma once

#include <cuda.h>
#include <driver_types.h>

namespace hel::rt {

static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData));

inline const CUgraphEdgeData *driver_edges(const cudaGraphEdgeData *data) {
  return reinterpret_cast<const CUgraphEdgeData *>(data);
}
inline CUgraphEdgeData *driver_edges(cudaGraphEdgeData *data) { return reinterpret_cast<CUgraphEdgeData *>(data); }

}  // namespace hel::rt
