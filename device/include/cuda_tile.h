// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile kernels are another kind of device code, in which a block is one logical thread.
#error "cuda_tile.h: tile kernels (__tile_global__, cuda::tiles) are not implemented"
