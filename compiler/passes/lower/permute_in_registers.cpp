// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/permute_in_registers.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/IntrinsicsX86.h"

#include <numeric>

namespace hel::cc {
namespace {

using namespace llvm;

constexpr char kName[] = "hl.permute.lanes";
constexpr unsigned kLanes = 32;

FixedVectorType *integers(LLVMContext &context, unsigned count) {
  return FixedVectorType::get(Type::getInt32Ty(context), count);
}

/// Through memory: any machine can.
void write_with_table(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  AllocaInst *table = builder.CreateAlloca(ArrayType::get(builder.getInt32Ty(), kLanes), nullptr, "table");
  table->setAlignment(Align(64));
  builder.CreateStore(function.getArg(0), table);
  Value *from = builder.CreateAnd(function.getArg(1), ConstantInt::get(function.getReturnType(), kLanes - 1));
  Value *places = builder.CreateGEP(builder.getInt32Ty(), table, from);
  builder.CreateRet(builder.CreateMaskedGather(function.getReturnType(), places, Align(4), nullptr, nullptr));
}

/// A body of parts: `count` lanes at a time.
class Parts {
public:
  Parts(IRBuilder<> &builder, unsigned count) : builder_(builder), count_(count) {}

  Value *part(Value *vector, unsigned number) const {
    SmallVector<int, kLanes> lanes(count_);
    std::iota(lanes.begin(), lanes.end(), number * count_);
    return builder_.CreateShuffleVector(vector, lanes);
  }

  Value *joined(ArrayRef<Value *> parts) const {
    SmallVector<Value *, 4> left(parts);
    while (left.size() > 1) {
      SmallVector<int, kLanes> lanes(2 * cast<FixedVectorType>(left[0]->getType())->getNumElements());
      std::iota(lanes.begin(), lanes.end(), 0);
      SmallVector<Value *, 4> wider;
      for (size_t i = 0; i < left.size(); i += 2) {
        wider.push_back(builder_.CreateShuffleVector(left[i], left[i + 1], lanes));
      }
      left = wider;
    }
    return left[0];
  }

private:
  IRBuilder<> &builder_;
  unsigned count_;
};

Value *permute_two_registers(IRBuilder<> &builder, Value *values, Value *from) {
  const Parts halves(builder, 16);
  SmallVector<Value *, 2> results;
  for (unsigned half = 0; half < 2; half++) {
    results.push_back(
        builder.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_d_512, {},
                                {halves.part(values, 0), halves.part(from, half), halves.part(values, 1)}));
  }
  return halves.joined(results);
}

Value *permute_four_registers(IRBuilder<> &builder, Value *values, Value *from) {
  const Parts quarters(builder, 8);
  SmallVector<Value *, 4> results;
  for (unsigned quarter = 0; quarter < 4; quarter++) {
    Value *numbers = quarters.part(from, quarter);
    SmallVector<Value *, 4> found;
    for (unsigned source = 0; source < 4; source++) {
      found.push_back(builder.CreateIntrinsic(Intrinsic::x86_avx2_permd, {}, {quarters.part(values, source), numbers}));
    }
    auto bit = [&](unsigned number) { return builder.CreateIsNeg(builder.CreateShl(numbers, 31 - number)); };
    Value *low = builder.CreateSelect(bit(3), found[1], found[0]),
          *high = builder.CreateSelect(bit(3), found[3], found[2]);
    results.push_back(builder.CreateSelect(bit(4), high, low));
  }
  return quarters.joined(results);
}

}  // namespace

Function &permute_function(Module &module) {
  if (Function *known = module.getFunction(kName)) {
    return *known;
  }
  FixedVectorType *lanes = integers(module.getContext(), kLanes);
  Function *made =
      Function::Create(FunctionType::get(lanes, {lanes, lanes}, false), GlobalValue::InternalLinkage, kName, &module);
  made->addFnAttr(Attribute::AlwaysInline);
  made->setDoesNotAccessMemory();
  made->setDoesNotThrow();
  made->setWillReturn();
  write_with_table(*made);
  return *made;
}

Result<void> permute_in_registers(Module &module, Compilation &) {
  Function *function = module.getFunction(kName);
  if (function == nullptr) {
    return {};
  }
  StringRef level = function->getFnAttribute("target-cpu").getValueAsString();
  if (level != "x86-64-v4" && level != "x86-64-v3") {
    return {};
  }
  const AttributeList attributes = function->getAttributes();
  function->deleteBody();
  function->setLinkage(GlobalValue::InternalLinkage);
  function->setAttributes(attributes);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", function));
  auto *permute = level == "x86-64-v4" ? permute_two_registers : permute_four_registers;
  builder.CreateRet(permute(builder, function->getArg(0), function->getArg(1)));
  return {};
}

}  // namespace hel::cc
