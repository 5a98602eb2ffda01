// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device variables by their host symbol.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/modules.h"
#include "runtime/memory/copy.h"

namespace hel::rt {
namespace {

/// The part of a variable that a copy touches.
Result<char *> part_of(const void *symbol, size_t count, size_t offset) {
  VariablePlace place = HEL_TRY(variable_of(symbol));
  if (offset > place.bytes || count > place.bytes - offset) {
    return HEL_FAIL(cudaErrorInvalidValue, "%zu bytes at offset %zu exceed the symbol's %zu bytes", count, offset,
                    place.bytes);
  }
  return reinterpret_cast<char *>(place.address) + offset;
}

Result<void> check_symbol_direction(cudaMemcpyKind kind, cudaMemcpyKind host_direction) {
  if (kind != host_direction && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
    return HEL_FAIL(cudaErrorInvalidMemcpyDirection, "direction %d cannot be used with a symbol",
                    static_cast<int>(kind));
  }
  return {};
}

}  // namespace

Result<void *> symbol_target(const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  HEL_TRY(check_symbol_direction(kind, cudaMemcpyHostToDevice));
  return static_cast<void *>(HEL_TRY(part_of(symbol, count, offset)));
}

Result<void *> symbol_source(const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  HEL_TRY(check_symbol_direction(kind, cudaMemcpyDeviceToHost));
  return static_cast<void *>(HEL_TRY(part_of(symbol, count, offset)));
}

Result<void> memcpy_to_symbol(const void *symbol, const void *src, size_t count, size_t offset, cudaMemcpyKind kind) {
  HEL_TRY(check_symbol_direction(kind, cudaMemcpyHostToDevice));
  return memcpy(HEL_TRY(part_of(symbol, count, offset)), src, count, kind);
}

Result<void> memcpy_to_symbol_async(const void *symbol, const void *src, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  HEL_TRY(check_symbol_direction(kind, cudaMemcpyHostToDevice));
  return memcpy_async(HEL_TRY(part_of(symbol, count, offset)), src, count, kind, stream);
}

Result<void> memcpy_from_symbol(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  HEL_TRY(check_symbol_direction(kind, cudaMemcpyDeviceToHost));
  return memcpy(dst, HEL_TRY(part_of(symbol, count, offset)), count, kind);
}

Result<void> memcpy_from_symbol_async(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  HEL_TRY(check_symbol_direction(kind, cudaMemcpyDeviceToHost));
  return memcpy_async(dst, HEL_TRY(part_of(symbol, count, offset)), count, kind, stream);
}

Result<void> get_symbol_address(void **devPtr, const void *symbol) {
  if (devPtr == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "devPtr is null");
  }
  *devPtr = reinterpret_cast<void *>(HEL_TRY(variable_of(symbol)).address);
  return {};
}

Result<void> get_symbol_size(size_t *size, const void *symbol) {
  if (size == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "size is null");
  }
  *size = HEL_TRY(variable_of(symbol)).bytes;
  return {};
}

}  // namespace hel::rt
