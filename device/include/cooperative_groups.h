// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups: blocks, grids, clusters, tiles, coalesced threads, and the partitions of a group.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "helicon/device_runtime.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))
#include "helicon/cooperative/lanes.h"
#include "helicon/cooperative/groups.h"
#include "helicon/cooperative/coalesced.h"
#include "helicon/cooperative/tile.h"
#include "helicon/cooperative/partition.h"
#endif

#endif
