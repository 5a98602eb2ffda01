// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fragments of matrices: registers of an instruction as an array in memory, which the device library's functions
// (device/lib/matrix.cu) take.
#pragma once

#include "compiler/ptx/lowering.h"

namespace hel::cc::ptx {

/// What a factor's elements are, and its products' sums.
struct Elements {
  enum class Sum : uint8_t { Float, Integer, Double };
  llvm::StringLiteral name;  ///< as a suffix
  uint8_t bits;
  Sum sum;

  /// Bytes of one lane's part of a row of a tile: a word, or a double.
  unsigned part_bytes() const { return bits == 64 ? 8 : 4; }
  /// How many parts of four lanes a row of `k` elements has.
  unsigned steps(unsigned k) const { return k * bits / (4 * 8 * part_bytes()); }
  Type part() const { return bits == 64 ? kB64 : kB32; }
};
/// Null: no factor has such elements.
const Elements *find_elements(llvm::StringRef name);

/// m x n x k of a product.
struct Shape {
  unsigned m = 0, n = 0, k = 0;
  bool operator==(const Shape &) const = default;
};
/// "m16n8k16"
std::optional<Shape> parse_shape(llvm::StringRef text);

/// What a suffix says sums are: f16 f32 s32 f64. Nothing: these elements have no such sums.
std::optional<Type> sum_type(const Elements &elements, llvm::StringRef name);

/// The `count` registers of a fragment; null when the operand has another number of them.
const Operand *fragment_registers(const Operand &operand, size_t count);

/// Room for so many bytes.
llvm::AllocaInst *new_fragment(Lowering &l, size_t bytes);

/// Moves `count` registers of `type` into the array, or out of it.
void store_fragment(Lowering &l, llvm::Value *array, const Operand *registers, size_t count, Type type);
void load_fragment(Lowering &l, llvm::Value *array, const Operand *registers, size_t count, Type type);

/// Moves `count` sums into the array, or out of it. In the array halves are floats, in registers two of them are a
/// word. False: the operand has another number of registers.
bool store_sums(Lowering &l, llvm::Value *array, const Operand &operand, size_t count, Type type);
bool load_sums(Lowering &l, llvm::Value *array, const Operand &operand, size_t count, Type type);

/// The library's product d += a * b of fragments. `types`: of the elements, as in the function's name. `arguments`: d,
/// a, b, and for sparse ones the metadata and their selector. `saturates`: sums of integers are kept in their range; d
/// holds `count` of them.
void multiply_fragments(Lowering &l, Shape shape, const llvm::Twine &types, llvm::ArrayRef<llvm::Value *> arguments);
void multiply_saturating(Lowering &l, Shape shape, const llvm::Twine &types, size_t count,
                         llvm::ArrayRef<llvm::Value *> arguments);

}  // namespace hel::cc::ptx
