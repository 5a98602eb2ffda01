// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX statements to SIMT IR. A register is a stack cell that holds its bits; later stages put the cells into SSA form.
#pragma once

#include "compiler/passes/lower/rounded.h"
#include "compiler/ptx/syntax.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

#include <map>

namespace hel::cc::ptx {

/// The suffixes of an instruction while a handler looks for those that it knows.
class Suffixes {
public:
  explicit Suffixes(const Instruction &inst) : left_(inst.suffixes.begin(), inst.suffixes.end()) {}
  /// Takes the suffix away and says whether it was there.
  bool take(llvm::StringRef name);
  /// Takes the first of these that is there; empty: none.
  llvm::StringRef take_one_of(llvm::ArrayRef<llvm::StringRef> names);
  /// Takes the first type that is left.
  std::optional<Type> take_type();
  /// Takes .rn .rz .rm .rp.
  std::optional<Rounding> take_rounding();
  /// Takes all suffixes that start like this (cache hints).
  void drop(llvm::StringRef start);
  bool empty() const { return left_.empty(); }
  llvm::ArrayRef<llvm::StringRef> rest() const { return left_; }

private:
  llvm::SmallVector<llvm::StringRef, 6> left_;
};

class Lowering {
public:
  /// The statements stand for `call`, whose operands they name.
  explicit Lowering(llvm::CallInst &call);
  /// Emits the statements in front of the call. False: see error().
  bool run(const Block &body);
  /// What the call gives; null when it gives nothing.
  llvm::Value *result();
  const std::string &error() const { return error_; }

  // For the families. A failed read gives poison, so that handlers need not look.
  llvm::IRBuilder<> b;
  bool fail(const llvm::Twine &text);
  llvm::Value *read(const Operand &operand, Type type);
  void write(const Operand &operand, llvm::Value *value, Type type);
  /// The operand is a predicate register.
  bool is_predicate(const Operand &operand);
  /// The address that [operand] names, in an address space of SIMT IR.
  llvm::Value *pointer(const Operand &operand, unsigned space);
  llvm::Value *call(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> arguments,
                    llvm::ArrayRef<llvm::Type *> overloads = {});
  /// llvm.nvvm.<name>, which must exist; an overloaded one is that of the first argument's type.
  llvm::Value *nvvm(const llvm::Twine &name, llvm::ArrayRef<llvm::Value *> arguments = {});
  /// A function of the device library.
  llvm::Value *library(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);
  llvm::Type *type(Type type) { return type.llvm_type(b.getContext()); }
  llvm::Value *integer(Type type, uint64_t value);
  llvm::AllocaInst *new_cell(llvm::Type *type, const llvm::Twine &name);
  /// The carry flag of the function, which assembly statements share.
  llvm::AllocaInst *carry();
  /// The statement around may be repeated but neither dropped nor moved.
  bool is_volatile() const;
  void jump(const Operand &label);

private:
  struct Register {
    Type type;
    llvm::AllocaInst *cell;
  };
  struct Outer {
    llvm::Value *value = nullptr;       ///< inputs
    llvm::AllocaInst *cell = nullptr;   ///< outputs, and inputs tied to one
  };
  using Scope = std::map<std::string, Register, std::less<>>;

  void bind_outer_operands();
  llvm::Value *input_bits(llvm::Value *value);
  bool lower(const Block &block);
  bool lower(const Instruction &inst);
  bool dispatch(const Instruction &inst);
  bool declare(const Declaration &declaration);
  void place_label(const std::string &name);
  llvm::BasicBlock *label_block(const std::string &name);
  const Register *find_register(llvm::StringRef name) const;
  llvm::AllocaInst *cell_of(const Operand &operand);
  llvm::Value *raw(const Operand &operand, Type type);
  llvm::Value *special_register(const Operand &operand);

  llvm::CallInst *call_;
  std::vector<Outer> outer_;
  std::vector<llvm::AllocaInst *> results_;
  std::vector<Scope> scopes_;
  std::map<std::string, llvm::BasicBlock *, std::less<>> labels_;
  std::map<std::string, bool, std::less<>> placed_labels_;
  std::string error_;
};

/// The cell of a function's carry flag; null when no statement of it uses the flag.
llvm::AllocaInst *find_carry(llvm::Function &function);

}  // namespace hel::cc::ptx
