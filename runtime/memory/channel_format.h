// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format of an element: the runtime describes its channels, the driver has a number for it.
#pragma once

#include "base/result.h"

#include <cuda.h>
#include <driver_types.h>

namespace hel::rt {

struct ChannelFormat {
  CUarray_format format;
  unsigned channels;
};

/// Channels are equally wide, of 8, 16 or 32 bits, and 1, 2 or 4 in number; else cudaErrorInvalidChannelDescriptor.
Result<ChannelFormat> channel_format(const cudaChannelFormatDesc &desc);
/// The driver's description of an array with such elements.
Result<CUDA_ARRAY3D_DESCRIPTOR> array_descriptor(const cudaChannelFormatDesc &desc, const cudaExtent &extent,
                                                 unsigned flags);
cudaChannelFormatDesc channel_desc(CUarray_format format, unsigned channels);

}  // namespace hel::rt
