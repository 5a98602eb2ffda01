// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_simt_ops.h"

#include "abi/thread.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/simt_ops.h"
#include "compiler/ir/thread_state.h"
#include "compiler/passes/lower/simt_code.h"

namespace hel::cc {
namespace {

struct State {
  Compilation &compilation;
  uint32_t next_site = 0;  ///< number of the next activemask in the source

  llvm::Value *lower_field(const SimtOp &op, llvm::CallInst &call, llvm::IRBuilder<> &builder);
  llvm::Value *lower_call(const SimtOp &op, llvm::CallInst &call, llvm::IRBuilder<> &builder);
  llvm::Value *argument(llvm::StringRef token, llvm::CallInst &call, llvm::IRBuilder<> &builder, llvm::Value *out);
};

/// An operand as an integer of the given width: floats give their bits, booleans 0 or 1.
llvm::Value *as_integer(llvm::IRBuilder<> &builder, llvm::Value *value, unsigned bits) {
  if (value->getType()->isFloatingPointTy()) {
    value = builder.CreateBitCast(value, builder.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
  }
  return builder.CreateZExtOrTrunc(value, builder.getIntNTy(bits));
}

/// The engine's integer as the intrinsic's result type.
llvm::Value *from_integer(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *type) {
  if (type->isIntegerTy(1)) {
    return builder.CreateIsNotNull(value);
  }
  if (type->isFloatingPointTy()) {
    value = builder.CreateZExtOrTrunc(value, builder.getIntNTy(type->getPrimitiveSizeInBits()));
    return builder.CreateBitCast(value, type);
  }
  return builder.CreateZExtOrTrunc(value, type);
}

llvm::Value *entry_slot(llvm::Function &function) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  return builder.CreateAlloca(builder.getInt32Ty(), nullptr, "second");
}

llvm::Value *State::lower_field(const SimtOp &op, llvm::CallInst &call, llvm::IRBuilder<> &builder) {
  unsigned bits = std::min<unsigned>(op.bytes * 8, call.getType()->getIntegerBitWidth());
  llvm::Type *type = builder.getIntNTy(bits);
  std::string name = op.name.rsplit("sreg.").second.str();
  llvm::Value *value = op.kind == SimtKind::ThreadField
                           ? emit_field(builder, op.offset, type, name.c_str(), op.limit)
                           : emit_launch_field(builder, op.offset, type, name.c_str());
  return builder.CreateZExt(value, call.getType());
}

llvm::Value *State::argument(llvm::StringRef token, llvm::CallInst &call, llvm::IRBuilder<> &builder,
                             llvm::Value *out) {
  unsigned number = 0;
  if (token == "out") {
    return out;
  }
  if (token == "null") {
    return llvm::ConstantPointerNull::get(builder.getPtrTy());
  }
  if (token == "site") {
    return builder.getInt32(next_site++);
  }
  bool wide = token.consume_front("L");
  bool pointer = token.consume_front("P");
  bool operand = token.consume_front("$");
  bool bad = token.getAsInteger(10, number);
  HEL_ENSURE(!bad, "argument %s in simt_ops.def", token.str().c_str());
  if (!operand) {
    return builder.getInt32(number);
  }
  if (pointer) {
    return call.getArgOperand(number);
  }
  return as_integer(builder, call.getArgOperand(number), wide ? 64 : 32);
}

llvm::Value *State::lower_call(const SimtOp &op, llvm::CallInst &call, llvm::IRBuilder<> &builder) {
  llvm::SmallVector<llvm::StringRef, 6> tokens;
  op.arguments.split(tokens, ' ', -1, /*KeepEmpty=*/false);
  llvm::Value *out = llvm::is_contained(tokens, "out") ? entry_slot(*call.getFunction()) : nullptr;
  llvm::SmallVector<llvm::Value *, 6> arguments;
  for (llvm::StringRef token : tokens) {
    arguments.push_back(argument(token, call, builder, out));
  }
  llvm::Type *result = op.result == 'v'   ? builder.getVoidTy()
                       : op.result == 'i' ? static_cast<llvm::Type *>(builder.getInt32Ty())
                                          : builder.getInt64Ty();
  llvm::CallInst *engine = emit_engine_call(builder, op.function, result, arguments);
  if (op.effect == Effect::Sync) {
    engine->setConvergent();
    engine->getCalledFunction()->setConvergent();
  }
  if (op.effect == Effect::Ends) {
    engine->setDoesNotReturn();
    engine->getCalledFunction()->setDoesNotReturn();
  }
  if (op.result == 'v') {
    return nullptr;
  }
  auto *pair = llvm::dyn_cast<llvm::StructType>(call.getType());
  if (!pair) {
    return from_integer(builder, engine, call.getType());
  }
  llvm::Value *second = builder.CreateLoad(builder.getInt32Ty(), out);
  llvm::Value *both = llvm::PoisonValue::get(pair);
  both = builder.CreateInsertValue(both, from_integer(builder, engine, pair->getElementType(0)), 0);
  return builder.CreateInsertValue(both, from_integer(builder, second, pair->getElementType(1)), 1);
}

void replace(llvm::CallInst &call, llvm::Value *value) {
  if (value) {
    call.replaceAllUsesWith(value);
  }
  call.eraseFromParent();
}

}  // namespace

Result<void> lower_simt_ops(llvm::Module &module, Compilation &compilation) {
  State state{compilation};
  for (llvm::Function &declaration : llvm::make_early_inc_range(module)) {
    const SimtOp *op = declaration.isDeclaration() ? find_simt_op(declaration) : nullptr;
    if (!op) {
      continue;
    }
    for (llvm::User *user : llvm::make_early_inc_range(declaration.users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call) {
        continue;
      }
      llvm::IRBuilder<> builder(call);
      llvm::Value *value = op->kind == SimtKind::Code   ? emit_simt_code(op->function, *call, builder)
                           : op->kind == SimtKind::Call ? state.lower_call(*op, *call, builder)
                                                        : state.lower_field(*op, *call, builder);
      replace(*call, value);
    }
    if (declaration.use_empty()) {
      declaration.eraseFromParent();
    }
  }
  return {};
}

}  // namespace hel::cc
