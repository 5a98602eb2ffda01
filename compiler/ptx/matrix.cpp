// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix fragments: ldmatrix stmatrix movmatrix mma. The work is done by functions of the device library.
#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

const Operand *elements(const Operand &operand, size_t count) {
  bool is_vector = operand.kind == Operand::Kind::Vector;
  return (is_vector ? operand.parts.size() : 1) == count ? (is_vector ? operand.parts.data() : &operand) : nullptr;
}

/// A fragment's registers as an array in memory, which the library's functions take.
llvm::AllocaInst *fragment(Lowering &l, size_t words) {
  return l.new_cell(llvm::ArrayType::get(l.b.getInt32Ty(), words), "fragment");
}

Value *word(Lowering &l, Value *array, size_t number) {
  return l.b.CreateConstInBoundsGEP1_64(l.b.getInt32Ty(), array, number);
}

void store_fragment(Lowering &l, Value *array, const Operand *registers, size_t count, Type type) {
  for (size_t i = 0; i < count; ++i) {
    l.b.CreateStore(l.read(registers[i], type), word(l, array, i * type.bits() / 32));
  }
}

void load_fragment(Lowering &l, Value *array, const Operand *registers, size_t count, Type type) {
  for (size_t i = 0; i < count; ++i) {
    l.write(registers[i], l.b.CreateLoad(l.type(type), word(l, array, i * type.bits() / 32)), type);
  }
}

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
  const Operand *registers = elements(inst.operands[loads ? 0 : 1], count);
  if (!registers) {
    return false;
  }
  Value *row = l.b.CreateAddrSpaceCast(l.pointer(inst.operands[loads ? 1 : 0], space), l.b.getPtrTy());
  llvm::AllocaInst *array = fragment(l, count);
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

/// The shapes of mma.sync, by what the library's function is called and how many registers the fragments have.
struct Shape {
  llvm::StringLiteral shape, a, b;  ///< of the suffixes: shape and the types of A and B
  llvm::StringLiteral function;     ///< __hl_mma_<function>_<type of the sum>
  unsigned a_words, b_words;
};

constexpr Shape kShapes[] = {
    {"m16n8k8", "f16", "f16", "16x8x8_f16", 2, 1},     {"m16n8k16", "f16", "f16", "16x8x16_f16", 4, 2},
    {"m16n8k8", "bf16", "bf16", "16x8x8_bf16", 2, 1},  {"m16n8k16", "bf16", "bf16", "16x8x16_bf16", 4, 2},
    {"m16n8k4", "tf32", "tf32", "16x8x4_tf32", 2, 1},  {"m16n8k8", "tf32", "tf32", "16x8x8_tf32", 4, 2},
    {"m8n8k16", "s8", "s8", "8x8x16_s8_s8", 1, 1},     {"m16n8k16", "s8", "s8", "16x8x16_s8_s8", 2, 1},
    {"m16n8k32", "s8", "s8", "16x8x32_s8_s8", 4, 2},   {"m8n8k16", "u8", "u8", "8x8x16_u8_u8", 1, 1},
    {"m16n8k16", "u8", "u8", "16x8x16_u8_u8", 2, 1},   {"m16n8k32", "u8", "u8", "16x8x32_u8_u8", 4, 2},
    {"m8n8k16", "u8", "s8", "8x8x16_u8_s8", 1, 1},     {"m16n8k16", "u8", "s8", "16x8x16_u8_s8", 2, 1},
    {"m16n8k32", "u8", "s8", "16x8x32_u8_s8", 4, 2},   {"m8n8k16", "s8", "u8", "8x8x16_s8_u8", 1, 1},
    {"m16n8k16", "s8", "u8", "16x8x16_s8_u8", 2, 1},   {"m16n8k32", "s8", "u8", "16x8x32_s8_u8", 4, 2},
    {"m8n8k4", "f64", "f64", "8x8x4_f64", 2, 2},
};

/// mma.sync.aligned.shape.row.col{.satfinite}.d.a.b.c d, a, b, c
bool multiply(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool legal = suffixes.take("sync") && suffixes.take("aligned") && suffixes.take("row") && suffixes.take("col");
  bool saturates = suffixes.take("satfinite");
  llvm::ArrayRef<std::string> all = inst.suffixes;
  if (!legal || all.size() < 9 || inst.operands.size() != 4) {
    return false;
  }
  llvm::StringRef d = all[all.size() - 4], a = all[all.size() - 3], b = all[all.size() - 2], c = all[all.size() - 1];
  const Shape *shape = llvm::find_if(kShapes, [&](const Shape &row) { return row.shape == all[2] && row.a == a && row.b == b; });
  bool is_integer = a.ends_with("8");
  bool is_sum = is_integer ? d == "s32" : a == "f64" ? d == "f64" : d == "f32" || (d == "f16" && a == "f16");
  if (shape == std::end(kShapes) || !is_sum || c != d || all.size() != (saturates ? 10u : 9u) || (saturates && !is_integer)) {
    return false;
  }
  size_t rows = shape->shape.starts_with("m16") ? 2 : 1;
  size_t sums = d == "f64" ? 2 : d == "f16" ? rows : 2 * rows;
  Type type = d == "f64" ? kB64 : kB32;
  size_t sum_words = sums * type.bits() / 32;
  const Operand *out = elements(inst.operands[0], sums), *in = elements(inst.operands[3], sums);
  const Operand *left = elements(inst.operands[1], d == "f64" ? 1 : shape->a_words);
  const Operand *right = elements(inst.operands[2], d == "f64" ? 1 : shape->b_words);
  if (!out || !in || !left || !right) {
    return false;
  }
  llvm::AllocaInst *x = fragment(l, shape->a_words), *y = fragment(l, shape->b_words), *sum = fragment(l, sum_words);
  sum->setAlignment(llvm::Align(8));
  x->setAlignment(llvm::Align(8));
  y->setAlignment(llvm::Align(8));
  store_fragment(l, x, left, shape->a_words * 32 / type.bits(), type);
  store_fragment(l, y, right, shape->b_words * 32 / type.bits(), type);
  store_fragment(l, sum, in, sums, type);
  std::string name = ("__hl_mma_" + shape->function + (d == "f16" ? "_f16" : saturates ? "_sat" : "")).str();
  l.library(name, l.b.getVoidTy(), {sum, x, y});
  load_fragment(l, sum, out, sums, type);
  return true;
}

constexpr Opcode kOpcodes[] = {
    {"ldmatrix", move_matrices}, {"stmatrix", move_matrices}, {"movmatrix", transpose_matrix}, {"mma", multiply}};

}  // namespace

Opcodes matrix_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx
