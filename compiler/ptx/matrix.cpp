// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix fragments: ldmatrix stmatrix movmatrix mma. The work is done by functions of the device library.
#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"
#include "compiler/ptx/fragments.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

/// ldmatrix.sync.aligned.m8n8.xN{.trans}.shared.b16 {d…}, [row] and stmatrix: the lanes 8i … 8i+7 give the rows of matrix i.
bool move_matrices(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool legal = suffixes.take("sync") && suffixes.take("aligned") && suffixes.take("m8n8");
  llvm::StringRef number = suffixes.take_one_of({"x1", "x2", "x4"});
  bool transposed = suffixes.take("trans");
  unsigned space = suffixes.take_one_of({"shared", "shared::cta"}).empty() ? kGeneric : kShared;
  unsigned count = 0;
  number.drop_front(number.empty() ? 0 : 1).getAsInteger(10, count);
  if (!legal || suffixes.take_type() != kB16 || !suffixes.empty() || count == 0 || inst.operands.size() != 2) {
    return false;
  }
  bool loads = inst.opcode == "ldmatrix";
  const Operand *registers = fragment_registers(inst.operands[loads ? 0 : 1], count);
  if (!registers) {
    return false;
  }
  Value *row = l.b.CreateAddrSpaceCast(l.pointer(inst.operands[loads ? 1 : 0], space), l.b.getPtrTy());
  llvm::AllocaInst *array = new_fragment(l, size_t{4} * count);
  if (!loads) {
    store_fragment(l, array, registers, count, kB32);
  }
  l.library(loads ? "__hl_ldmatrix" : "__hl_stmatrix", l.b.getVoidTy(),
            {array, row, l.b.getInt32(count), l.b.getInt32(transposed)});
  if (loads) {
    load_fragment(l, array, registers, count, kB32);
  }
  return true;
}

/// movmatrix.sync.aligned.m8n8.trans.b16 d, a
bool transpose_matrix(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool legal = suffixes.take("sync") && suffixes.take("aligned") && suffixes.take("m8n8") && suffixes.take("trans");
  if (!legal || suffixes.take_type() != kB16 || !suffixes.empty() || inst.operands.size() != 2) {
    return false;
  }
  l.write(inst.operands[0], l.library("__hl_movmatrix", l.b.getInt32Ty(), {l.read(inst.operands[1], kB32)}), kB32);
  return true;
}

/// The shapes that products of elements of so many bits have (tf32: 32, f64: 64).
struct Shapes {
  unsigned bits;
  Shape shapes[4];
};
constexpr Shapes kShapes[] = {
    {64, {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}}},
    {32, {{16, 8, 4}, {16, 8, 8}}},
    {16, {{16, 8, 8}, {16, 8, 16}}},
    {8, {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}},
    {4, {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}},
    {1, {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}}},
};

bool has_shape(const Elements &elements, const Shape &shape) {
  const Shapes *row = llvm::find_if(kShapes, [&](const Shapes &shapes) { return shapes.bits == elements.bits; });
  bool is_fp8 = elements.bits == 8 && elements.sum == Elements::Sum::Float;
  return llvm::is_contained(row->shapes, shape) && !(is_fp8 && shape.m == 8);
}

/// Of a sparse product half of the first factor's elements are stored: one or two words for each row of a lane.
bool has_sparse_shape(const Elements &elements, const Shape &shape) {
  const unsigned row_bits = shape.k * elements.bits;
  bool is_fp8 = elements.bits == 8 && elements.sum == Elements::Sum::Float;
  return shape.m == 16 && shape.n == 8 && elements.bits >= 4 && elements.bits <= 32 &&
         (row_bits == 512 || (row_bits == 256 && !is_fp8));
}

/// The types of two factors that can be multiplied, as the library's functions name them; empty: they cannot.
std::string factor_types(const Elements &a, const Elements &b, llvm::StringRef bit_operation) {
  if (a.bits == 1 && b.bits == 1) {
    return bit_operation.empty() ? "" : ("b1_" + bit_operation).str();
  }
  if (!bit_operation.empty() || a.bits != b.bits || a.sum != b.sum) {
    return "";
  }
  bool may_differ = a.bits == 8 || a.bits == 4;
  return may_differ ? (a.name + "_" + b.name).str() : a.name == b.name ? a.name.str() : "";
}

/// What the suffixes of mma.sync say.
struct Product {
  const Elements *a = nullptr, *b = nullptr;
  Shape shape;
  std::string types;
  Type sum;
  bool saturates = false, is_sparse = false;
};

/// mma{.sp}.sync.aligned.shape.row.col{.satfinite}.d.a.b.c, for bits with .xor.popc or .and.popc behind.
std::optional<Product> parse_product(const Instruction &inst) {
  Suffixes suffixes(inst);
  bool legal = suffixes.take("sync") && suffixes.take("aligned") && suffixes.take("row") && suffixes.take("col");
  Product product;
  product.is_sparse = !suffixes.take_one_of({"sp", "sp::ordered_metadata"}).empty();
  product.saturates = suffixes.take("satfinite");
  llvm::StringRef bit_operation = suffixes.take("popc") ? suffixes.take_one_of({"xor", "and"}) : "";
  llvm::ArrayRef<llvm::StringRef> rest = suffixes.rest();  // shape, d, a, b, c
  if (!legal || rest.size() != 5 || rest[1] != rest[4]) {
    return std::nullopt;
  }
  std::optional<Shape> shape = parse_shape(rest[0]);
  product.a = find_elements(rest[2]);
  product.b = find_elements(rest[3]);
  if (!shape || !product.a || !product.b ||
      !(product.is_sparse ? has_sparse_shape(*product.a, *shape) : has_shape(*product.a, *shape))) {
    return std::nullopt;
  }
  product.shape = *shape;
  product.types = factor_types(*product.a, *product.b, bit_operation);
  std::optional<Type> sum = sum_type(*product.a, rest[1]);
  bool may_saturate = product.a->sum == Elements::Sum::Integer && product.a->bits != 1;
  if (product.types.empty() || !sum || (product.saturates && !may_saturate)) {
    return std::nullopt;
  }
  product.sum = *sum;
  return product;
}

/// How many values the sparsity selector has: which of the lanes of a row give its metadata.
unsigned selectors(const Product &product) {
  const unsigned pieces =
      product.a->bits >= 16 ? 4 : 2;  // a word is that of two rows, or two lanes give those of two rows
  return product.shape.k * product.a->bits == 512 ? pieces / 2 : pieces;
}

/// mma d, a, b, c and mma.sp d, a, b, c, metadata, selector
bool multiply(Lowering &l, const Instruction &inst) {
  std::optional<Product> product = parse_product(inst);
  if (!product || inst.operands.size() != (product->is_sparse ? 6 : 4)) {
    return false;
  }
  const Elements &elements = *product->a;
  unsigned tiles = product->shape.m / 8, steps = elements.steps(product->shape.k), bytes = elements.part_bytes();
  size_t sums = size_t{2} * tiles, parts = size_t{tiles} * steps / (product->is_sparse ? 2 : 1);
  const Operand *left = fragment_registers(inst.operands[1], parts);
  const Operand *right = fragment_registers(inst.operands[2], steps);
  llvm::AllocaInst *sum = new_fragment(l, sums * (elements.sum == Elements::Sum::Double ? 8 : 4));
  if (!left || !right || !store_sums(l, sum, inst.operands[3], sums, product->sum)) {
    return false;
  }
  llvm::AllocaInst *a = new_fragment(l, parts * bytes), *b = new_fragment(l, size_t{steps} * bytes);
  store_fragment(l, a, left, parts, elements.part());
  store_fragment(l, b, right, steps, elements.part());
  llvm::SmallVector<Value *, 5> arguments = {sum, a, b};
  if (product->is_sparse) {
    const Operand &selector = inst.operands[5];
    if (selector.kind != Operand::Kind::Integer || selector.value >= selectors(*product)) {
      return l.fail("the sparsity selector of mma.sp must be a number that this shape has");
    }
    arguments.append({l.read(inst.operands[4], kB32), l.b.getInt32(static_cast<uint32_t>(selector.value))});
    product->types.insert(0, "sp_");
  }
  if (product->saturates) {
    multiply_saturating(l, product->shape, product->types, sums, arguments);
  } else {
    multiply_fragments(l, product->shape, product->types, arguments);
  }
  return load_sums(l, sum, inst.operands[0], sums, product->sum);
}

constexpr Opcode kOpcodes[] = {
    {"ldmatrix", move_matrices}, {"stmatrix", move_matrices}, {"movmatrix", transpose_matrix}, {"mma", multiply}};

}  // namespace

Opcodes matrix_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx
