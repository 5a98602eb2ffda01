// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/strip_address_spaces.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace hel::cc {
namespace {

/// Types with every pointer in address space 0.
class PlainTypes : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type *remapType(llvm::Type *type) override {
    auto known = known_.find(type);
    if (known != known_.end()) {
      return known->second;
    }
    llvm::Type *plain = rebuild(type);
    known_[type] = plain;
    return plain;
  }

private:
  llvm::Type *rebuild(llvm::Type *type);
  llvm::Type *rebuild_struct(llvm::StructType *type, llvm::ArrayRef<llvm::Type *> elements);
  llvm::DenseMap<llvm::Type *, llvm::Type *> known_;
};

llvm::Type *PlainTypes::rebuild(llvm::Type *type) {
  llvm::LLVMContext &context = type->getContext();
  if (type->isPointerTy()) {
    return llvm::PointerType::get(context, 0);
  }
  llvm::SmallVector<llvm::Type *, 8> parts;
  bool changed = false;
  for (llvm::Type *part : type->subtypes()) {
    parts.push_back(remapType(part));
    changed |= parts.back() != part;
  }
  if (!changed) {
    return type;
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    return llvm::ArrayType::get(parts[0], array->getNumElements());
  }
  if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type)) {
    return llvm::VectorType::get(parts[0], vector->getElementCount());
  }
  if (auto *function = llvm::dyn_cast<llvm::FunctionType>(type)) {
    return llvm::FunctionType::get(parts[0], llvm::ArrayRef(parts).drop_front(), function->isVarArg());
  }
  return rebuild_struct(llvm::cast<llvm::StructType>(type), parts);
}

llvm::Type *PlainTypes::rebuild_struct(llvm::StructType *type, llvm::ArrayRef<llvm::Type *> elements) {
  if (type->isLiteral()) {
    return llvm::StructType::get(type->getContext(), elements, type->isPacked());
  }
  return llvm::StructType::create(type->getContext(), elements, type->getName(), type->isPacked());
}

/// Casts between address spaces are their operand.
class DropCasts : public llvm::ValueMaterializer {
public:
  DropCasts(llvm::ValueToValueMapTy &map, PlainTypes &types) : map_(map), types_(types) {}
  llvm::Value *materialize(llvm::Value *value) override {
    auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(value);
    if (!cast || cast->getOpcode() != llvm::Instruction::AddrSpaceCast) {
      return nullptr;
    }
    return llvm::MapValue(cast->getOperand(0), map_, llvm::RF_None, &types_, this);
  }

private:
  llvm::ValueToValueMapTy &map_;
  PlainTypes &types_;
};

struct State {
  explicit State(llvm::Module &m) : module(m) {}
  llvm::Module &module;
  llvm::ValueToValueMapTy map;
  PlainTypes types;
  DropCasts drop{map, types};
  std::vector<llvm::GlobalValue *> replaced;

  void replace_variables();
  void replace_functions();
  void rewrite_body(llvm::Function &function);
  llvm::Constant *mapped(llvm::Constant *constant) {
    return llvm::cast<llvm::Constant>(llvm::MapValue(constant, map, llvm::RF_None, &types, &drop));
  }
};

void State::replace_variables() {
  std::vector<std::pair<llvm::GlobalVariable *, llvm::Constant *>> initialisers;
  for (llvm::GlobalVariable &old : llvm::make_early_inc_range(module.globals())) {
    llvm::Type *type = types.remapType(old.getValueType());
    llvm::GlobalVariable *variable = &old;
    if (old.getAddressSpace() != 0 || type != old.getValueType()) {
      variable = new llvm::GlobalVariable(module, type, old.isConstant(), old.getLinkage(), nullptr, "", &old,
                                          old.getThreadLocalMode(), 0u, old.isExternallyInitialized());
      variable->copyAttributesFrom(&old);
      variable->copyMetadata(&old, 0);
      variable->takeName(&old);
      replaced.push_back(&old);
    }
    map[&old] = variable;
    if (old.hasInitializer()) {
      initialisers.push_back({variable, old.getInitializer()});
    }
  }
  for (auto &[variable, initialiser] : initialisers) {
    variable->setInitializer(mapped(initialiser));
  }
}

void State::replace_functions() {
  for (llvm::Function &old : llvm::make_early_inc_range(module)) {
    auto *type = llvm::cast<llvm::FunctionType>(types.remapType(old.getFunctionType()));
    if (type == old.getFunctionType()) {
      map[&old] = &old;
      continue;
    }
    auto *function = llvm::Function::Create(type, old.getLinkage(), 0, "", nullptr);
    module.getFunctionList().insert(old.getIterator(), function);
    function->takeName(&old);
    function->updateAfterNameChange();
    function->copyAttributesFrom(&old);
    function->copyMetadata(&old, 0);
    old.clearMetadata();
    function->splice(function->begin(), &old);
    for (auto [from, to] : llvm::zip(old.args(), function->args())) {
      to.takeName(&from);
      map[&from] = &to;
    }
    map[&old] = function;
    replaced.push_back(&old);
  }
}

void State::rewrite_body(llvm::Function &function) {
  llvm::RemapFlags flags = llvm::RF_IgnoreMissingLocals | llvm::RF_ReuseAndMutateDistinctMDs;
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    llvm::RemapInstruction(&inst, map, flags, &types, &drop);
    llvm::RemapDbgRecordRange(&module, inst.getDbgRecordRange(), map, flags, &types, &drop);
  }
  for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (llvm::isa<llvm::AddrSpaceCastInst>(inst)) {
      inst.replaceAllUsesWith(inst.getOperand(0));
      inst.eraseFromParent();
    }
  }
}

bool has_spaces(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != 0) {
      return true;
    }
  }
  for (llvm::Function &function : module) {
    for (llvm::Argument &argument : function.args()) {
      if (argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() != 0) {
        return true;
      }
    }
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (inst.getType()->isPointerTy() && inst.getType()->getPointerAddressSpace() != 0) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Result<void> strip_address_spaces(llvm::Module &module, Compilation &) {
  if (!has_spaces(module)) {
    return {};
  }
  State state{module};
  state.replace_variables();
  state.replace_functions();
  for (llvm::Function &function : module) {
    if (!function.isDeclaration()) {
      state.rewrite_body(function);
    }
  }
  for (llvm::GlobalValue *old : state.replaced) {
    old->removeDeadConstantUsers();
    old->dropAllReferences();
  }
  for (llvm::GlobalValue *old : state.replaced) {
    old->replaceAllUsesWith(llvm::PoisonValue::get(old->getType()));
    old->eraseFromParent();
  }
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (function.isIntrinsic()) {
      if (std::optional<llvm::Function *> fitting = llvm::Intrinsic::remangleIntrinsicFunction(&function)) {
        function.replaceAllUsesWith(*fitting);
        function.eraseFromParent();
      }
    }
  }
  return {};
}

}  // namespace hel::cc
