// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that treat an array as one run of bytes, row after row. Each becomes at most three copies of rectangles: the
// rest of the first row, whole rows, the beginning of the last row.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"
#include "runtime/memory/copy.h"

#include <algorithm>

namespace hel::rt {
namespace {

/// Calls `copy(x, y, width, rows, bytes before it)` for each rectangle.
template <typename Copy>
Result<void> for_each_rectangle(cudaArray_const_t array, size_t x, size_t y, size_t count, Copy copy) {
  size_t row_bytes = HEL_TRY(array_row_bytes(*HEL_TRY(bound_driver()), array));
  if (x >= row_bytes) {
    return HEL_FAIL(cudaErrorInvalidValue, "offset %zu is beyond a row of %zu bytes", x, row_bytes);
  }
  for (size_t done = 0; done < count;) {
    size_t left = count - done;
    bool whole_rows = x == 0 && left >= row_bytes;
    size_t width = whole_rows ? row_bytes : std::min(left, row_bytes - x);
    size_t rows = whole_rows ? left / row_bytes : 1;
    HEL_TRY(copy(x, y, width, rows, done));
    done += width * rows;
    y += rows;
    x = 0;
  }
  return {};
}

}  // namespace

Result<void> memcpy_to_array(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                             cudaMemcpyKind kind) {
  return for_each_rectangle(
      dst, wOffset, hOffset, count, [&](size_t x, size_t y, size_t width, size_t rows, size_t at) {
        return memcpy2d_to_array(dst, x, y, static_cast<const char *>(src) + at, width, width, rows, kind);
      });
}

Result<void> memcpy_to_array_async(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return for_each_rectangle(dst, wOffset, hOffset, count,
                            [&](size_t x, size_t y, size_t width, size_t rows, size_t at) {
                              return memcpy2d_to_array_async(dst, x, y, static_cast<const char *>(src) + at, width,
                                                             width, rows, kind, stream);
                            });
}

Result<void> memcpy_from_array(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                               cudaMemcpyKind kind) {
  return for_each_rectangle(
      src, wOffset, hOffset, count, [&](size_t x, size_t y, size_t width, size_t rows, size_t at) {
        return memcpy2d_from_array(static_cast<char *>(dst) + at, width, src, x, y, width, rows, kind);
      });
}

Result<void> memcpy_from_array_async(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return for_each_rectangle(
      src, wOffset, hOffset, count, [&](size_t x, size_t y, size_t width, size_t rows, size_t at) {
        return memcpy2d_from_array_async(static_cast<char *>(dst) + at, width, src, x, y, width, rows, kind, stream);
      });
}

/// Rows of the two arrays may differ in length: a piece is what lies in one row of each.
Result<void> memcpy_array_to_array(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc, size_t count, cudaMemcpyKind kind) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  const size_t to_row = HEL_TRY(array_row_bytes(*cu, dst)), from_row = HEL_TRY(array_row_bytes(*cu, src));
  if (wOffsetDst >= to_row || wOffsetSrc >= from_row) {
    return HEL_FAIL(cudaErrorInvalidValue, "offsets %zu and %zu are beyond rows of %zu and %zu bytes", wOffsetDst,
                    wOffsetSrc, to_row, from_row);
  }
  for (size_t done = 0; done < count;) {
    const size_t to = wOffsetDst + done, from = wOffsetSrc + done;
    const size_t width = std::min({count - done, to_row - to % to_row, from_row - from % from_row});
    HEL_TRY(memcpy2d_array_to_array(dst, to % to_row, hOffsetDst + to / to_row, src, from % from_row,
                                    hOffsetSrc + from / from_row, width, 1, kind));
    done += width;
  }
  return {};
}

}  // namespace hel::rt
