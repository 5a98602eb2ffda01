// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between the driver API's descriptions of the same thing (base/ knows no API header: the types are the
// callers').
#pragma once

namespace hel {

/// The launch shape of a kernel node (CUDA_KERNEL_NODE_PARAMS of any version), without stream and attributes.
template <typename CUlaunchConfig, typename KernelNode> CUlaunchConfig launch_config_of(const KernelNode &node) {
  CUlaunchConfig config{};
  config.gridDimX = node.gridDimX;
  config.gridDimY = node.gridDimY;
  config.gridDimZ = node.gridDimZ;
  config.blockDimX = node.blockDimX;
  config.blockDimY = node.blockDimY;
  config.blockDimZ = node.blockDimZ;
  config.sharedMemBytes = node.sharedMemBytes;
  return config;
}

/// A copy of rows (CUDA_MEMCPY2D), or of a box between contexts (CUDA_MEMCPY3D_PEER), as a copy of a box. Rows are a box
/// of depth 1; the contexts are left out.
template <typename CUDA_MEMCPY3D, typename Copy> CUDA_MEMCPY3D box_of(const Copy &copy) {
  CUDA_MEMCPY3D box{};
  box.srcXInBytes = copy.srcXInBytes;
  box.srcY = copy.srcY;
  box.srcMemoryType = copy.srcMemoryType;
  box.srcHost = copy.srcHost;
  box.srcDevice = copy.srcDevice;
  box.srcArray = copy.srcArray;
  box.srcPitch = copy.srcPitch;
  box.dstXInBytes = copy.dstXInBytes;
  box.dstY = copy.dstY;
  box.dstMemoryType = copy.dstMemoryType;
  box.dstHost = copy.dstHost;
  box.dstDevice = copy.dstDevice;
  box.dstArray = copy.dstArray;
  box.dstPitch = copy.dstPitch;
  box.WidthInBytes = copy.WidthInBytes;
  box.Height = copy.Height;
  if constexpr (requires { copy.Depth; }) {
    box.srcZ = copy.srcZ;
    box.srcLOD = copy.srcLOD;
    box.srcHeight = copy.srcHeight;
    box.dstZ = copy.dstZ;
    box.dstLOD = copy.dstLOD;
    box.dstHeight = copy.dstHeight;
    box.Depth = copy.Depth;
  } else {
    box.srcHeight = copy.srcY + copy.Height;
    box.dstHeight = copy.dstY + copy.Height;
    box.Depth = 1;
  }
  return box;
}

}  // namespace hel
