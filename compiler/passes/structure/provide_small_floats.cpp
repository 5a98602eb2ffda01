// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/provide_small_floats.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

using llvm::Value;
using Builder = llvm::IRBuilder<>;

bool uses(llvm::Module &module, llvm::Type::TypeID id) {
  auto is_it = [id](const llvm::Type *type) { return type->getScalarType()->getTypeID() == id; };
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (is_it(inst.getType()) ||
          llvm::any_of(inst.operands(), [&](const llvm::Use &use) { return is_it(use->getType()); })) {
        return true;
      }
    }
  }
  return false;
}

Value *bits_of_float(Builder &b, Value *x) { return b.CreateBitCast(x, b.getInt32Ty()); }

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

/// `bits` without the `dropped` lowest, rounded to nearest, ties to even.
Value *drop_bits(Builder &b, Value *bits, unsigned dropped) {
  Value *last = b.CreateAnd(b.CreateLShr(bits, dropped), b.getInt32(1));
  return b.CreateLShr(b.CreateAdd(b.CreateAdd(bits, b.getInt32((1u << (dropped - 1)) - 1)), last), dropped);
}

/// The bits of a float rounded to the nearest bfloat; NaNs stay NaNs.
Value *bfloat_bits(Builder &b, Value *bits, Value *is_nan) {
  Value *quiet = b.CreateLShr(b.CreateOr(bits, b.getInt32(0x400000)), 16);
  return b.CreateSelect(is_nan, quiet, drop_bits(b, bits, 16));
}

/// The bits of a float rounded to the nearest half; NaNs stay NaNs.
Value *half_bits(Builder &b, Value *bits, Value *is_nan) {
  Value *sign = b.CreateAnd(b.CreateLShr(bits, 16), b.getInt32(0x8000)), *size = b.CreateAnd(bits, b.getInt32(0x7fffffff));
  Value *normal = drop_bits(b, b.CreateSub(size, b.getInt32(112u << 23)), 13);
  // Below 2^-14 halves are the multiples of 2^-24, as floats between 0.5 and 1 are.
  Value *half = llvm::ConstantFP::get(b.getFloatTy(), 0.5);
  Value *sum = b.CreateFAdd(b.CreateBitCast(size, b.getFloatTy()), half);
  Value *small = b.CreateSub(b.CreateBitCast(sum, b.getInt32Ty()), b.getInt32(0x3f000000));
  Value *finite = b.CreateSelect(b.CreateICmpULT(size, b.getInt32(113u << 23)), small, normal);
  Value *any = b.CreateSelect(b.CreateICmpUGE(size, b.getInt32(143u << 23)), b.getInt32(0x7c00), finite);
  return b.CreateOr(sign, b.CreateSelect(is_nan, b.getInt32(0x7e00), any));
}

/// The float that a half is.
Value *widened_half(Builder &b, Value *x) {
  Value *bits = b.CreateZExt(b.CreateBitCast(x, b.getInt16Ty()), b.getInt32Ty());
  Value *sign = b.CreateShl(b.CreateAnd(bits, b.getInt32(0x8000)), 16), *size = b.CreateAnd(bits, b.getInt32(0x7fff));
  Value *shifted = b.CreateShl(size, 13);
  Value *normal = b.CreateAdd(shifted, b.getInt32(112u << 23)), *special = b.CreateOr(shifted, b.getInt32(0x7f800000));
  Value *counted = b.CreateFMul(b.CreateUIToFP(size, b.getFloatTy()), llvm::ConstantFP::get(b.getFloatTy(), 0x1p-24));
  Value *finite =
      b.CreateSelect(b.CreateICmpULT(size, b.getInt32(0x400)), b.CreateBitCast(counted, b.getInt32Ty()), normal);
  Value *any = b.CreateSelect(b.CreateICmpUGE(size, b.getInt32(0x7c00)), special, finite);
  return b.CreateBitCast(b.CreateOr(sign, any), b.getFloatTy());
}

class Definitions {
public:
  Definitions(llvm::Module &module, llvm::StringRef cpu) : module_(module), attributes_(module.getContext()) {
    attributes_.addAttribute("target-cpu", cpu);
    attributes_.addAttribute(llvm::Attribute::NoUnwind);
  }

  using Bits = Value *(*)(Builder &, Value *x);
  using Narrow = Value *(*)(Builder &, Value *bits, Value *is_nan);
  void narrowing(const char *name, llvm::Type *from, llvm::Type *to, Bits bits, Narrow narrow) {
    define(name, from, to, [=](Builder &b, Value *x) {
      Value *narrowed = narrow(b, bits(b, x), b.CreateFCmpUNO(x, x));
      return b.CreateBitCast(b.CreateTrunc(narrowed, b.getInt16Ty()), to);
    });
  }

  void define(const char *name, llvm::Type *from, llvm::Type *to,
              llvm::function_ref<Value *(Builder &, Value *)> result) {
    auto *type = llvm::FunctionType::get(to, {from}, false);
    auto *function = llvm::cast<llvm::Function>(module_.getOrInsertFunction(name, type).getCallee());
    function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    function->addFnAttrs(attributes_);
    Builder builder(llvm::BasicBlock::Create(module_.getContext(), "", function));
    builder.CreateRet(result(builder, function->getArg(0)));
  }

private:
  llvm::Module &module_;
  llvm::AttrBuilder attributes_;
};

}  // namespace

Result<void> provide_small_floats(llvm::Module &module, Compilation &compilation) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *half = llvm::Type::getHalfTy(context), *bfloat = llvm::Type::getBFloatTy(context),
             *single = llvm::Type::getFloatTy(context), *wide = llvm::Type::getDoubleTy(context);
  Definitions definitions(module, compilation.target.getTargetCPU());
  bool has_bfloat = uses(module, bfloat->getTypeID()), has_half = uses(module, half->getTypeID());
  if (has_bfloat) {
    definitions.narrowing("__truncsfbf2", single, bfloat, bits_of_float, bfloat_bits);
    definitions.narrowing("__truncdfbf2", wide, bfloat, to_odd_float_bits, bfloat_bits);
  }
  if (has_half) {
    definitions.narrowing("__truncsfhf2", single, half, bits_of_float, half_bits);
    definitions.narrowing("__truncdfhf2", wide, half, to_odd_float_bits, half_bits);
    definitions.define("__extendhfsf2", half, single, widened_half);
  }
  return {};
}

}  // namespace hel::cc
