// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ptx/fragments.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;
using Sum = Elements::Sum;

constexpr Elements kElements[] = {
    {"f16", 16, Sum::Float}, {"bf16", 16, Sum::Float}, {"tf32", 32, Sum::Float}, {"e4m3", 8, Sum::Float},
    {"e5m2", 8, Sum::Float}, {"f64", 64, Sum::Double}, {"s8", 8, Sum::Integer},  {"u8", 8, Sum::Integer},
    {"s4", 4, Sum::Integer}, {"u4", 4, Sum::Integer},  {"b1", 1, Sum::Integer},
};

constexpr Type kF16x2{Type::Kind::Float, 16, 2};

Value *place(Lowering &l, Value *array, size_t number, llvm::Type *type) {
  return l.b.CreateConstInBoundsGEP1_64(type, array, number);
}

}  // namespace

const Elements *find_elements(llvm::StringRef name) {
  const Elements *found = llvm::find_if(kElements, [&](const Elements &row) { return row.name == name; });
  return found == std::end(kElements) ? nullptr : found;
}

std::optional<Shape> parse_shape(llvm::StringRef text) {
  Shape shape;
  bool failed = !text.consume_front("m") || text.consumeInteger(10, shape.m) || !text.consume_front("n") ||
                text.consumeInteger(10, shape.n) || !text.consume_front("k") || text.consumeInteger(10, shape.k);
  return failed || !text.empty() || shape.m * shape.n * shape.k == 0 ? std::nullopt : std::optional(shape);
}

std::optional<Type> sum_type(const Elements &elements, llvm::StringRef name) {
  switch (elements.sum) {
    case Sum::Integer:
      return name == "s32" ? std::optional(kS32) : std::nullopt;
    case Sum::Double:
      return name == "f64" ? std::optional(kF64) : std::nullopt;
    case Sum::Float:
      bool has_halves = elements.name == "f16" || elements.bits == 8;
      return name == "f32" ? std::optional(kF32) : name == "f16" && has_halves ? std::optional(kF16) : std::nullopt;
  }
  return std::nullopt;
}

const Operand *fragment_registers(const Operand &operand, size_t count) {
  bool is_vector = operand.kind == Operand::Kind::Vector;
  return (is_vector ? operand.parts.size() : 1) == count ? (is_vector ? operand.parts.data() : &operand) : nullptr;
}

llvm::AllocaInst *new_fragment(Lowering &l, size_t bytes) {
  llvm::AllocaInst *array = l.new_cell(llvm::ArrayType::get(l.b.getInt8Ty(), bytes), "fragment");
  array->setAlignment(llvm::Align(8));
  return array;
}

void store_fragment(Lowering &l, Value *array, const Operand *registers, size_t count, Type type) {
  for (size_t i = 0; i < count; ++i) {
    l.b.CreateStore(l.read(registers[i], type), place(l, array, i, l.type(type)));
  }
}

void load_fragment(Lowering &l, Value *array, const Operand *registers, size_t count, Type type) {
  for (size_t i = 0; i < count; ++i) {
    l.write(registers[i], l.b.CreateLoad(l.type(type), place(l, array, i, l.type(type))), type);
  }
}

bool store_sums(Lowering &l, Value *array, const Operand &operand, size_t count, Type type) {
  const Operand *registers = fragment_registers(operand, type == kF16 ? count / 2 : count);
  if (!registers) {
    return false;
  }
  if (type != kF16) {
    store_fragment(l, array, registers, count, type);
    return true;
  }
  llvm::Type *two = llvm::FixedVectorType::get(l.b.getFloatTy(), 2);
  for (size_t i = 0; i < count / 2; ++i) {
    l.b.CreateStore(l.b.CreateFPExt(l.read(registers[i], kF16x2), two), place(l, array, i, two));
  }
  return true;
}

bool load_sums(Lowering &l, Value *array, const Operand &operand, size_t count, Type type) {
  const Operand *registers = fragment_registers(operand, type == kF16 ? count / 2 : count);
  if (!registers) {
    return false;
  }
  if (type != kF16) {
    load_fragment(l, array, registers, count, type);
    return true;
  }
  llvm::Type *two = llvm::FixedVectorType::get(l.b.getFloatTy(), 2);
  for (size_t i = 0; i < count / 2; ++i) {
    Value *sums = l.b.CreateLoad(two, place(l, array, i, two));
    l.write(registers[i], l.b.CreateFPTrunc(sums, l.type(kF16x2)), kF16x2);
  }
  return true;
}

void multiply_fragments(Lowering &l, Shape shape, const llvm::Twine &types, llvm::ArrayRef<Value *> arguments) {
  auto number = [](unsigned n) { return std::to_string(n); };
  std::string size = number(shape.m) + "x" + number(shape.n) + "x" + number(shape.k);
  l.library(("__hl_mma_" + size + "_" + types).str(), l.b.getVoidTy(), arguments);
}

void multiply_saturating(Lowering &l, Shape shape, const llvm::Twine &types, size_t count,
                         llvm::ArrayRef<Value *> arguments) {
  Value *d = arguments.front();
  llvm::Type *word = l.b.getInt32Ty();
  llvm::SmallVector<Value *, 8> before;
  for (size_t i = 0; i < count; ++i) {
    before.push_back(l.b.CreateLoad(word, place(l, d, i, word)));
    l.b.CreateStore(l.b.getInt32(0), place(l, d, i, word));
  }
  multiply_fragments(l, shape, types, arguments);  // products alone stay in the range
  for (size_t i = 0; i < count; ++i) {
    Value *sum = l.b.CreateLoad(word, place(l, d, i, word));
    l.b.CreateStore(l.b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, before[i], sum), place(l, d, i, word));
  }
}

}  // namespace hel::cc::ptx
