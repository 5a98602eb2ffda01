// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of rectangles and boxes. One whose ends belong to devices of different drivers goes through a packed copy in
// the host's memory, which every driver can read and write.
#include "loader/dispatch.h"

#include "base/driver_params.h"
#include "base/driver_result.h"

#include <memory>
#include <new>

namespace hel::loader {
namespace {

/// One end of a copy, as all the descriptions have it.
struct End {
  CUmemorytype type;
  CUdeviceptr address;
  CUarray array;
  CUcontext context;
};

CUcontext context_of(const CUDA_MEMCPY3D_PEER &copy, bool source) { return source ? copy.srcContext : copy.dstContext; }
template <typename Copy> CUcontext context_of(const Copy &, bool) { return nullptr; }

template <typename Copy> End source_of(const Copy &copy) {
  return {copy.srcMemoryType, copy.srcDevice, copy.srcArray, context_of(copy, true)};
}
template <typename Copy> End target_of(const Copy &copy) {
  return {copy.dstMemoryType, copy.dstDevice, copy.dstArray, context_of(copy, false)};
}

int side_of_end(const End &end) {
  switch (end.type) {
    case CU_MEMORYTYPE_ARRAY:
      return side_of_handle(end.array);
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      break;
    default:
      return kAnySide;
  }
  if (int at = side_of_address(end.address); at != kAnySide) {
    return at;
  }
  if (end.type == CU_MEMORYTYPE_DEVICE) {
    return side_of_handle(end.context) != kAnySide ? side_of_handle(end.context) : current_side();
  }
  unsigned type = 0;
  int foreign = foreign_side();
  bool is_foreign =
      foreign != kAnySide && current_side() == foreign &&
      side(foreign).PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, end.address) == CUDA_SUCCESS &&
      type == CU_MEMORYTYPE_DEVICE;
  return is_foreign ? foreign : kAnySide;
}

/// One half of a copy across: what `at` still has to do comes first.
CUresult copy_half(int at, const CUDA_MEMCPY3D &box) {
  const Visit visit(at);
  CUresult code = side(at).CtxSynchronize();
  return code == CUDA_SUCCESS ? side(at).Memcpy3D(&box) : code;
}

CUresult cross(int from, int to, const CUDA_MEMCPY3D &box) {
  size_t rows = 0;
  size_t bytes = 0;
  if (__builtin_mul_overflow(box.Height, box.Depth, &rows) || __builtin_mul_overflow(rows, box.WidthInBytes, &bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::unique_ptr<char[]> packed(new (std::nothrow) char[bytes]);
  if (packed == nullptr) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  CUDA_MEMCPY3D half = box;
  half.dstXInBytes = half.dstY = half.dstZ = half.dstLOD = 0;
  half.dstMemoryType = CU_MEMORYTYPE_HOST;
  half.dstHost = packed.get();
  half.dstPitch = box.WidthInBytes;
  half.dstHeight = box.Height;
  CUresult code = copy_half(from, half);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  half = box;
  half.srcXInBytes = half.srcY = half.srcZ = half.srcLOD = 0;
  half.srcMemoryType = CU_MEMORYTYPE_HOST;
  half.srcHost = packed.get();
  half.srcPitch = box.WidthInBytes;
  half.srcHeight = box.Height;
  return copy_half(to, half);
}

template <typename> struct CopyOf;
template <typename Copy, typename... Stream> struct CopyOf<CUresult (*DriverTable::*)(const Copy *, Stream...)> {
  using Type = Copy;
};

/// Replaces one function of the table; `Stream` is its CUstream, where it has one.
template <auto Member, typename... Stream>
CUresult copy_box(const typename CopyOf<decltype(Member)>::Type *copy, Stream... stream) {
  if (copy == nullptr) {
    return (side(current_side()).*Member)(copy, stream...);
  }
  int from = side_of_end(source_of(*copy));
  int to = side_of_end(target_of(*copy));
  if (from != to && from != kAnySide && to != kAnySide) {
    CUresult code = CUDA_SUCCESS;
    ((code = side(choose_side({side_of_handle(stream)})).StreamSynchronize(stream)), ...);
    return code == CUDA_SUCCESS ? cross(from, to, box_of<CUDA_MEMCPY3D>(*copy)) : code;
  }
  int at = choose_side({from, to, side_of_handle(stream)...});
  if (at < 0) {
    return of_several_drivers("cuMemcpy2D or cuMemcpy3D");
  }
  const Visit visit(at);
  return (side(at).*Member)(copy, stream...);
}

}  // namespace

void put_box_functions(DriverTable &table) {
  table.Memcpy2D = copy_box<&DriverTable::Memcpy2D>;
  table.Memcpy2DUnaligned = copy_box<&DriverTable::Memcpy2DUnaligned>;
  table.Memcpy3D = copy_box<&DriverTable::Memcpy3D>;
  table.Memcpy3DPeer = copy_box<&DriverTable::Memcpy3DPeer>;
  table.Memcpy2DAsync = copy_box<&DriverTable::Memcpy2DAsync, CUstream>;
  table.Memcpy3DAsync = copy_box<&DriverTable::Memcpy3DAsync, CUstream>;
  table.Memcpy3DPeerAsync = copy_box<&DriverTable::Memcpy3DPeerAsync, CUstream>;
}

}  // namespace hel::loader
