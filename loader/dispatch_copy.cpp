// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between devices of different drivers. Memory of our own drivers' devices is memory of the process: to the other
// driver it is the host's. What their streams still have to do with it is waited for first.
#include "loader/dispatch.h"

namespace hel::loader {
namespace {

struct Ends {
  CUdeviceptr to, from;
};

/// The side that can do the copy. *crosses: one end belongs to another side, and is host memory to this one.
int side_of_copy(const Ends &ends, bool *crosses) {
  int to = side_of_address(ends.to), from = side_of_address(ends.from);
  *crosses = false;
  if (to == from || to == kAnySide || from == kAnySide) {
    // The program's own memory, or memory that the current driver may know.
    int known = to != kAnySide ? to : from;
    CUdeviceptr other = to != kAnySide ? ends.from : ends.to;
    if (known != kAnySide && known != foreign_side() && foreign_side() != kAnySide && current_side() == foreign_side() && to != from) {
      unsigned type = 0;
      CUresult code = side(foreign_side()).PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, other);
      *crosses = code == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE;
      return *crosses ? foreign_side() : known;
    }
    return known != kAnySide ? known : current_side();
  }
  *crosses = true;
  return foreign_side();
}

/// Waits for what the devices of our own drivers still have to do.
void finish_others(int at) {
  for (int other = 0; other < side_count(); other++) {
    CUcontext context = nullptr;
    if (other == at) {
      continue;
    }
    const Visit visit(other);
    if (side(other).CtxGetCurrent(&context) == CUDA_SUCCESS && context != nullptr) {
      side(other).CtxSynchronize();
    }
  }
}

CUresult cross(int at, const Ends &ends, size_t bytes) {
  finish_others(at);
  const Visit visit(at);
  int to = side_of_address(ends.to);
  bool is_to_host = to != kAnySide && to != at;
  return is_to_host ? side(at).MemcpyDtoH(reinterpret_cast<void *>(ends.to), ends.from, bytes)
                    : side(at).MemcpyHtoD(ends.to, reinterpret_cast<const void *>(ends.from), bytes);
}

CUresult cross_async(int at, const Ends &ends, size_t bytes, CUstream stream) {
  int of_stream = choose_side({side_of_handle(stream)});
  CUresult code = side(of_stream).StreamSynchronize(stream);
  return code == CUDA_SUCCESS ? cross(at, ends, bytes) : code;
}

CUdeviceptr address(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

template <typename Plain> CUresult copy(const Ends &ends, size_t bytes, Plain plain) {
  bool crosses = false;
  int at = side_of_copy(ends, &crosses);
  if (crosses) {
    return cross(at, ends, bytes);
  }
  const Visit visit(at);
  return plain(side(at));
}

template <typename Plain> CUresult copy_async(const Ends &ends, size_t bytes, CUstream stream, Plain plain) {
  bool crosses = false;
  int at = side_of_copy(ends, &crosses);
  int of_stream = side_of_handle(stream);
  if (crosses) {
    return cross_async(at, ends, bytes, stream);
  }
  // Host memory and memory of our own devices is known to the stream's driver too.
  const Visit visit(of_stream != kAnySide ? of_stream : at);
  return plain(side(of_stream != kAnySide ? of_stream : at));
}

CUresult memcpy_any(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy({to, from}, bytes, [&](const DriverTable &cu) { return cu.Memcpy(to, from, bytes); });
}
CUresult memcpy_dtod(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy({to, from}, bytes, [&](const DriverTable &cu) { return cu.MemcpyDtoD(to, from, bytes); });
}
CUresult memcpy_htod(CUdeviceptr to, const void *from, size_t bytes) {
  return copy({to, address(from)}, bytes, [&](const DriverTable &cu) { return cu.MemcpyHtoD(to, from, bytes); });
}
CUresult memcpy_dtoh(void *to, CUdeviceptr from, size_t bytes) {
  return copy({address(to), from}, bytes, [&](const DriverTable &cu) { return cu.MemcpyDtoH(to, from, bytes); });
}
CUresult memcpy_any_async(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_async({to, from}, bytes, stream, [&](const DriverTable &cu) { return cu.MemcpyAsync(to, from, bytes, stream); });
}
CUresult memcpy_dtod_async(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_async({to, from}, bytes, stream, [&](const DriverTable &cu) { return cu.MemcpyDtoDAsync(to, from, bytes, stream); });
}
CUresult memcpy_htod_async(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return copy_async({to, address(from)}, bytes, stream,
                    [&](const DriverTable &cu) { return cu.MemcpyHtoDAsync(to, from, bytes, stream); });
}
CUresult memcpy_dtoh_async(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_async({address(to), from}, bytes, stream,
                    [&](const DriverTable &cu) { return cu.MemcpyDtoHAsync(to, from, bytes, stream); });
}

CUresult memcpy_peer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes) {
  int at = choose_side({side_of_handle(to_context), side_of_handle(from_context)});
  return at >= 0 ? side(at).MemcpyPeer(to, to_context, from, from_context, bytes) : cross(foreign_side(), {to, from}, bytes);
}
CUresult memcpy_peer_async(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream) {
  int at = choose_side({side_of_handle(to_context), side_of_handle(from_context)});
  return at >= 0 ? side(at).MemcpyPeerAsync(to, to_context, from, from_context, bytes, stream)
                 : cross_async(foreign_side(), {to, from}, bytes, stream);
}

}  // namespace

void put_copy_functions(DriverTable &table) {
  table.Memcpy = memcpy_any;
  table.MemcpyDtoD = memcpy_dtod;
  table.MemcpyHtoD = memcpy_htod;
  table.MemcpyDtoH = memcpy_dtoh;
  table.MemcpyAsync = memcpy_any_async;
  table.MemcpyDtoDAsync = memcpy_dtod_async;
  table.MemcpyHtoDAsync = memcpy_htod_async;
  table.MemcpyDtoHAsync = memcpy_dtoh_async;
  table.MemcpyPeer = memcpy_peer;
  table.MemcpyPeerAsync = memcpy_peer_async;
}

}  // namespace hel::loader
