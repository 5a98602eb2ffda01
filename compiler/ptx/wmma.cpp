// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of a warp: wmma.load, wmma.store, wmma.mma. Which lane has which element is left open by PTX; here a product
// is made of those of mma.sync, and the fragments are theirs, one after the other. Of a product of 8 x 32 elements the
// factors change places (the transposed product): the factor with more rows or columns is the long one, of 16 rows
// each, and the other one is cut into columns of 8.
#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"
#include "compiler/ptx/fragments.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

/// A matrix instruction's shape with the type of its factors.
struct Tiling {
  const Elements *elements = nullptr;
  Shape shape;

  bool is_turned() const { return shape.m < shape.n; }
  unsigned long_rows() const { return std::max(shape.m, shape.n); }
  unsigned short_rows() const { return std::min(shape.m, shape.n); }
  unsigned core_rows() const { return long_rows() >= 16 ? 16 : 8; }
  unsigned core_tiles() const { return core_rows() / 8; }
  unsigned steps() const { return elements->steps(shape.k); }
  /// Products of core_rows() x 8 elements.
  unsigned cores() const { return long_rows() / core_rows() * (short_rows() / 8); }
  unsigned sums() const { return cores() * core_tiles() * 2; }

  bool is_long(bool is_a) const { return is_a != is_turned(); }
  unsigned factor_rows(bool is_a) const { return is_a ? shape.m : shape.n; }
  /// Parts that a lane has of a factor, and registers that the instruction has for them: halves leave some unused.
  unsigned parts(bool is_a) const { return factor_rows(is_a) / 8 * steps(); }
  unsigned registers(bool is_a) const { return elements->name == "f16" ? 8 : parts(is_a); }
};

bool has_shape(const Elements &elements, const Shape &shape) {
  bool is_tall = shape == Shape{16, 16, 16} || shape == Shape{32, 8, 16} || shape == Shape{8, 32, 16};
  switch (elements.bits) {
    case 64:
      return shape == Shape{8, 8, 4};
    case 32:
      return shape == Shape{16, 16, 8};
    case 16:
      return is_tall;
    case 8:
      return is_tall && elements.sum == Elements::Sum::Integer;
    case 4:
      return shape == Shape{8, 8, 32};
    default:
      return shape == Shape{8, 8, 128};
  }
}

/// Takes .row or .col: whether it was there, and which one.
std::optional<bool> take_layout(Suffixes &suffixes) {
  llvm::StringRef layout = suffixes.take_one_of({"row", "col"});
  return layout.empty() ? std::nullopt : std::optional(layout == "row");
}

unsigned take_space(Suffixes &suffixes) {
  llvm::StringRef space = suffixes.take_one_of({"shared", "shared::cta", "global"});
  return space.empty() ? kGeneric : space == "global" ? kGlobal : kShared;
}

/// The distance of rows (or columns) in bytes: an operand that counts elements, or without one the length of the other
/// side.
Value *stride(Lowering &l, const Instruction &inst, unsigned bits, unsigned length) {
  if (inst.operands.size() == 2) {
    return l.b.getInt64(uint64_t{length} * bits / 8);
  }
  Value *elements = l.b.CreateZExt(l.read(inst.operands[2], kU32), l.b.getInt64Ty());
  return l.b.CreateLShr(l.b.CreateMul(elements, l.b.getInt64(bits)), 3);
}

/// wmma.load.a or .b d, [p]{, stride}
bool load_factor(Lowering &l, const Instruction &inst, const Tiling &tiling, bool is_a, bool by_rows, Value *from) {
  const Elements &elements = *tiling.elements;
  const bool along = by_rows == is_a;  // elements of a row of A, or of a column of B, stand beside each other
  if (elements.bits < 8 && !along) {
    return false;
  }
  const Operand *out = fragment_registers(inst.operands[0], tiling.registers(is_a));
  if (!out) {
    return false;
  }
  const unsigned parts = tiling.parts(is_a);
  Value *array = new_fragment(l, size_t{parts} * elements.part_bytes());
  Value *apart = stride(l, inst, elements.bits, along ? tiling.shape.k : tiling.factor_rows(is_a));
  l.library("__hl_wmma_load", l.b.getVoidTy(),
            {array, from, apart, l.b.getInt32(tiling.factor_rows(is_a) / 8), l.b.getInt32(tiling.steps()),
             l.b.getInt32(tiling.is_long(is_a) ? tiling.core_tiles() : 1), l.b.getInt32(elements.part_bytes()),
             l.b.getInt32(along ? 0 : elements.bits / 8)});
  load_fragment(l, array, out, parts, elements.part());
  for (unsigned i = parts; i < tiling.registers(is_a); ++i) {
    l.write(out[i], l.b.getInt32(0), kB32);
  }
  return true;
}

/// wmma.load.c d, [p]{, stride} and wmma.store.d [p], d{, stride}
bool move_sums(Lowering &l, const Instruction &inst, const Tiling &tiling, Type type, bool by_rows, Value *memory) {
  const bool loads = inst.suffixes[0] == "load", along = by_rows != tiling.is_turned();
  const unsigned bytes = type.bits() / 8, count = tiling.sums();
  Type part = type == kF16 ? kB32 : type;
  const unsigned registers = type == kF16 ? count / 2 : count;
  const Operand *moved = fragment_registers(inst.operands[loads ? 0 : 1], registers);
  if (!moved) {
    return false;
  }
  Value *array = new_fragment(l, size_t{count} * bytes);
  Value *apart = stride(l, inst, type.bits(), by_rows ? tiling.shape.n : tiling.shape.m);
  if (!loads) {
    store_fragment(l, array, moved, registers, part);
  }
  l.library(loads ? "__hl_wmma_load_sums" : "__hl_wmma_store_sums", l.b.getVoidTy(),
            {array, memory, apart, l.b.getInt32(tiling.long_rows()), l.b.getInt32(tiling.short_rows()),
             l.b.getInt32(bytes), l.b.getInt32(along)});
  if (loads) {
    load_fragment(l, array, moved, registers, part);
  }
  return true;
}

/// The factors whose products have such sums; the shape tells which.
const Elements *elements_of_sums(const Shape &shape, llvm::StringRef type) {
  llvm::StringRef name = type == "f64"   ? "f64"
                         : type == "f32" ? (shape.k == 8 ? "tf32" : "f16")
                         : type == "f16" ? "f16"
                         : type != "s32" ? ""
                         : shape.k == 16 ? "s8"
                         : shape.k == 32 ? "s4"
                                         : "b1";
  return find_elements(name);
}

/// wmma.load.x.sync.aligned.layout.shape{.space}.type and wmma.store.d…
bool move_matrix(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  const bool loads = suffixes.take("load");
  llvm::StringRef matrix = loads                    ? suffixes.take_one_of({"a", "b", "c"})
                           : suffixes.take("store") ? suffixes.take_one_of({"d"})
                                                    : "";
  bool legal = suffixes.take("sync") && suffixes.take("aligned");
  std::optional<bool> by_rows = take_layout(suffixes);
  const unsigned space = take_space(suffixes);
  llvm::ArrayRef<llvm::StringRef> rest = suffixes.rest();  // shape, type
  if (matrix.empty() || !legal || !by_rows || rest.size() != 2 || inst.operands.size() < 2 ||
      inst.operands.size() > 3) {
    return false;
  }
  std::optional<Shape> shape = parse_shape(rest[0]);
  const bool is_factor = matrix == "a" || matrix == "b";
  const Elements *elements = !shape ? nullptr : is_factor ? find_elements(rest[1]) : elements_of_sums(*shape, rest[1]);
  std::optional<Type> type = elements && !is_factor ? sum_type(*elements, rest[1]) : std::nullopt;
  if (!elements || !has_shape(*elements, *shape) || (!is_factor && !type)) {
    return false;
  }
  Tiling tiling{elements, *shape};
  Value *memory = l.b.CreateAddrSpaceCast(l.pointer(inst.operands[loads ? 1 : 0], space), l.b.getPtrTy());
  return is_factor ? load_factor(l, inst, tiling, matrix == "a", *by_rows, memory)
                   : move_sums(l, inst, tiling, *type, *by_rows, memory);
}

/// What the suffixes of wmma.mma say.
struct Product {
  Tiling tiling;
  std::string types;  ///< as the library's functions name them
  Type d, c;
  bool saturates = false;
};

/// wmma.mma.sync.aligned.alayout.blayout.shape{.rn}{.satfinite}.d{.a.b}.c; of halves only the sums are named. For bits
/// .xor.popc or .and.popc stands in front. The layouts say how the factors were loaded, which their fragments do not
/// tell.
std::optional<Product> parse_product(const Instruction &inst) {
  Suffixes suffixes(inst);
  bool legal = suffixes.take("mma") && suffixes.take("sync") && suffixes.take("aligned");
  std::optional<bool> a_by_rows = take_layout(suffixes), b_by_rows = take_layout(suffixes);
  Product product;
  product.saturates = suffixes.take("satfinite");
  llvm::StringRef bit_operation = suffixes.take("popc") ? suffixes.take_one_of({"xor", "and"}) : "";
  bool is_rounded = suffixes.take("rn");
  llvm::ArrayRef<llvm::StringRef> rest = suffixes.rest();  // shape, d, {a, b,} c
  if (!legal || !a_by_rows || !b_by_rows || (rest.size() != 3 && rest.size() != 5)) {
    return std::nullopt;
  }
  std::optional<Shape> shape = parse_shape(rest[0]);
  const Elements *elements = find_elements(rest.size() == 3 ? "f16" : rest[2]);
  if (!shape || !elements || !has_shape(*elements, *shape) ||
      (rest.size() == 5 && (rest[2] != rest[3] || elements->name == "f16"))) {
    return std::nullopt;
  }
  product.tiling = {elements, *shape};
  std::optional<Type> d = sum_type(*elements, rest[1]), c = sum_type(*elements, rest.back());
  const bool is_small = elements->sum == Elements::Sum::Integer && elements->bits > 1;
  if (!d || !c || (elements->bits == 1) == bit_operation.empty() || (product.saturates && !is_small) ||
      (is_rounded && elements->bits != 64)) {
    return std::nullopt;
  }
  product.d = *d;
  product.c = *c;
  product.types = elements->name.str();
  if (elements->bits == 1) {
    product.types += ("_" + bit_operation).str();
  } else if (is_small) {
    product.types += "_" + product.types;
  }
  return product;
}

/// wmma.mma d, a, b, c
bool multiply(Lowering &l, const Instruction &inst) {
  std::optional<Product> product = parse_product(inst);
  if (!product || inst.operands.size() != 4) {
    return false;
  }
  const Tiling &tiling = product->tiling;
  const Elements &elements = *tiling.elements;
  Value *factors[2];
  for (bool is_a : {true, false}) {
    const Operand *registers = fragment_registers(inst.operands[is_a ? 1 : 2], tiling.registers(is_a));
    if (!registers) {
      return false;
    }
    Value *&array = factors[tiling.is_long(is_a) ? 0 : 1];
    array = new_fragment(l, size_t{tiling.parts(is_a)} * elements.part_bytes());
    store_fragment(l, array, registers, tiling.parts(is_a), elements.part());
  }
  const unsigned sum_bytes = elements.sum == Elements::Sum::Double ? 8 : 4;
  Value *sum = new_fragment(l, size_t{tiling.sums()} * sum_bytes);
  if (!store_sums(l, sum, inst.operands[3], tiling.sums(), product->c)) {
    return false;
  }
  auto at = [&](Value *array, unsigned bytes) { return l.b.CreateConstInBoundsGEP1_64(l.b.getInt8Ty(), array, bytes); };
  const unsigned columns = tiling.short_rows() / 8, step_bytes = tiling.steps() * elements.part_bytes();
  const unsigned sums = tiling.core_tiles() * 2;
  const Shape core{tiling.core_rows(), 8, tiling.shape.k};
  for (unsigned i = 0; i < tiling.cores(); ++i) {
    Value *d = at(sum, i * sums * sum_bytes);
    Value *a = at(factors[0], i / columns * tiling.core_tiles() * step_bytes),
          *b = at(factors[1], i % columns * step_bytes);
    if (product->saturates) {
      multiply_saturating(l, core, product->types, sums, {d, a, b});
    } else {
      multiply_fragments(l, core, product->types, {d, a, b});
    }
  }
  return load_sums(l, sum, inst.operands[0], tiling.sums(), product->d);
}

constexpr Opcode kOpcodes[] = {{"wmma", move_matrix}, {"wmma", multiply}};

}  // namespace

Opcodes wmma_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx
