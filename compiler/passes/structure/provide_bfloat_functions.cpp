// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/provide_bfloat_functions.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

using llvm::Value;
using Builder = llvm::IRBuilder<>;

bool uses_bfloat(llvm::Module &module) {
  auto is_bfloat = [](const llvm::Type *type) { return type->getScalarType()->isBFloatTy(); };
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (is_bfloat(inst.getType()) ||
          llvm::any_of(inst.operands(), [&](const llvm::Use &use) { return is_bfloat(use->getType()); })) {
        return true;
      }
    }
  }
  return false;
}

/// The bits of a float rounded to the nearest bfloat, ties to even; NaNs stay NaNs.
Value *round_bits(Builder &b, Value *bits, Value *is_nan) {
  Value *last = b.CreateAnd(b.CreateLShr(bits, 16), b.getInt32(1));
  Value *rounded = b.CreateAdd(b.CreateAdd(bits, b.getInt32(0x7fff)), last);
  Value *quiet = b.CreateOr(bits, b.getInt32(0x400000));
  Value *chosen = b.CreateSelect(is_nan, quiet, rounded);
  return b.CreateBitCast(b.CreateTrunc(b.CreateLShr(chosen, 16), b.getInt16Ty()), b.getBFloatTy());
}

/// The bits of a double rounded to odd as a float, so that a second rounding cannot go wrong.
Value *to_odd_float_bits(Builder &b, Value *x) {
  Value *nearest = b.CreateFPTrunc(x, b.getFloatTy());
  Value *back = b.CreateFPExt(nearest, b.getDoubleTy());
  Value *bits = b.CreateBitCast(nearest, b.getInt32Ty());
  Value *even = b.CreateIsNull(b.CreateAnd(bits, b.getInt32(1)));
  Value *adjust = b.CreateAnd(even, b.CreateFCmpONE(back, x));
  Value *too_big = b.CreateFCmpOGT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                                   b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x));
  Value *step = b.CreateSelect(too_big, b.getInt32(~0u), b.getInt32(1));
  return b.CreateSelect(adjust, b.CreateAdd(bits, step), bits);
}

void define(llvm::Module &module, const char *name, llvm::Type *from, Value *(*bits_of)(Builder &, Value *),
            const llvm::AttributeList &attributes) {
  llvm::LLVMContext &context = module.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getBFloatTy(context), {from}, false);
  auto *function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->addFnAttrs(llvm::AttrBuilder(context, attributes.getFnAttrs()));
  Builder builder(llvm::BasicBlock::Create(context, "", function));
  Value *x = function->getArg(0);
  builder.CreateRet(round_bits(builder, bits_of(builder, x), builder.CreateFCmpUNO(x, x)));
}

}  // namespace

Result<void> provide_bfloat_functions(llvm::Module &module, Compilation &compilation) {
  if (!uses_bfloat(module)) {
    return {};
  }
  llvm::LLVMContext &context = module.getContext();
  llvm::AttrBuilder builder(context);
  builder.addAttribute("target-cpu", compilation.target.getTargetCPU());
  builder.addAttribute(llvm::Attribute::NoUnwind);
  llvm::AttributeList attributes = llvm::AttributeList::get(context, llvm::AttributeList::FunctionIndex, builder);
  auto plain = [](Builder &b, Value *x) { return b.CreateBitCast(x, b.getInt32Ty()); };
  define(module, "__truncsfbf2", llvm::Type::getFloatTy(context), plain, attributes);
  define(module, "__truncdfbf2", llvm::Type::getDoubleTy(context), to_odd_float_bits, attributes);
  return {};
}

}  // namespace hel::cc
