// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_inline_asm.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"
#include "compiler/ptx/lowering.h"
#include "compiler/ptx/parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hel::cc {
namespace {

llvm::InlineAsm *asm_of(llvm::CallInst &call) { return llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()); }

/// The text with what the compiler fills in: $$ is a dollar sign, ${:uid} a number of this statement, and operands that
/// must be constants ("n", "i") stand as numbers, so that they may be part of a word.
std::string fill_in(llvm::CallInst &call, unsigned unique) {
  llvm::InlineAsm &statement = *asm_of(call);
  std::vector<std::string> numbers;
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo &info : statement.ParseConstraints()) {
    if (info.Type == llvm::InlineAsm::isClobber) {
      continue;
    }
    bool is_argument = info.Type == llvm::InlineAsm::isInput || info.isIndirect;
    llvm::Value *value = is_argument ? call.getArgOperand(argument++) : nullptr;
    bool is_number = llvm::is_contained(info.Codes, "n") || llvm::is_contained(info.Codes, "i");
    auto *constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
    numbers.push_back(is_number && constant ? llvm::toString(constant->getValue(), 10, /*Signed=*/true) : "");
  }
  llvm::StringRef rest = statement.getAsmString();
  std::string text;
  while (!rest.empty()) {
    if (rest.consume_front("$$")) {
      text += '$';
    } else if (rest.consume_front("${:uid}")) {
      text += std::to_string(unique);
    } else if (rest[0] != '$') {
      text += rest[0];
      rest = rest.drop_front();
    } else {
      bool braced = rest.drop_front().starts_with("{");
      llvm::StringRef digits = rest.drop_front(braced ? 2 : 1).take_while([](char c) { return llvm::isDigit(c); });
      rest =
          braced ? rest.drop_front(std::min(rest.find('}'), rest.size() - 1) + 1) : rest.drop_front(1 + digits.size());
      size_t number = 0;
      bool known = !digits.getAsInteger(10, number) && number < numbers.size() && !numbers[number].empty();
      text += known ? numbers[number] : "$" + digits.str();
    }
  }
  return text;
}

/// An empty statement keeps its operands alive and its order on any machine, once its constraints name this one's
/// registers.
void keep_empty(llvm::CallInst &call) {
  llvm::InlineAsm *old = asm_of(call);
  std::string constraints;
  bool inside_name = false;  // of a clobber, as in ~{memory}
  for (char c : old->getConstraintString()) {
    inside_name = c == '{' || (inside_name && c != '}');
    bool integer = c == 'h' || c == 'l' || c == 'q';
    bool floating = c == 'f' || c == 'd';
    constraints += inside_name ? c : integer ? 'r' : floating ? 'x' : c;
  }
  call.setCalledOperand(llvm::InlineAsm::get(old->getFunctionType(), "", constraints, old->hasSideEffects()));
}

/// White space as single spaces, for messages.
std::string one_line(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  for (llvm::StringRef rest = text; !(rest = rest.ltrim(" \t\r\n")).empty();) {
    words.push_back(rest.take_until([](char c) { return llvm::isSpace(c); }));
    rest = rest.drop_front(words.back().size());
  }
  return llvm::join(words, " ");
}

/// What is wrong with a statement; empty when it is replaced.
std::string lower(llvm::CallInst &call, unsigned unique) {
  std::string text = fill_in(call, unique);
  ptx::Parsed parsed = ptx::parse_body(text);
  if (!parsed.error.empty()) {
    return "inline PTX: " + parsed.error + " in \"" + one_line(text) + "\"";
  }
  if (parsed.body.statements.empty()) {
    keep_empty(call);
    return "";
  }
  ptx::Lowering lowering(call);
  if (!lowering.run(parsed.body)) {
    return "inline PTX: " + lowering.error() + " in \"" + one_line(text) + "\"";
  }
  if (llvm::Value *value = lowering.result()) {
    call.replaceAllUsesWith(value);
  }
  call.eraseFromParent();
  return "";
}

bool uses_carry(llvm::StringRef text) {
  return text.contains(".cc.") || text.contains("addc") || text.contains("subc") || text.contains("madc");
}

/// The carry flag lives from one statement to the next, also where small functions wrap the statements: these are
/// inlined first.
void inline_carry_chains(llvm::Module &module) {
  bool any = false;
  for (llvm::Function &function : module) {
    bool uses = llvm::any_of(llvm::instructions(function), [](llvm::Instruction &inst) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
      return call && asm_of(*call) && uses_carry(asm_of(*call)->getAsmString());
    });
    if (uses && !is_kernel(function)) {
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
      any = true;
    }
  }
  if (any) {
    run_llvm_passes(module, nullptr, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
      manager.addPass(llvm::AlwaysInlinerPass());
    });
  }
}

/// Each read of the flag must come after an instruction that sets it.
void check_carry(llvm::Function &function, Diagnostics &diagnostics) {
  llvm::AllocaInst *cell = ptx::find_carry(function);
  if (!cell) {
    return;
  }
  llvm::DominatorTree dominators(function);
  for (llvm::User *read : cell->users()) {
    bool is_set = llvm::any_of(cell->users(), [&](llvm::User *write) {
      return llvm::isa<llvm::StoreInst>(write) &&
             dominators.dominates(llvm::cast<llvm::Instruction>(write), llvm::cast<llvm::Instruction>(read));
    });
    if (llvm::isa<llvm::LoadInst>(read) && !is_set) {
      diagnostics.error(*llvm::cast<llvm::Instruction>(read),
                        "inline PTX: no instruction before this one sets the carry flag");
    }
  }
}

/// What no kernel reaches goes later, whatever it says. A module without kernels is looked at as a whole.
llvm::SmallPtrSet<llvm::Function *, 32> functions_that_run(llvm::Module &module) {
  llvm::SmallPtrSet<llvm::Function *, 32> reached;
  for (llvm::Function *kernel : defined_kernels(module)) {
    Reach reach = functions_reached(*kernel);
    reached.insert(reach.functions.begin(), reach.functions.end());
  }
  if (reached.empty()) {
    for (llvm::Function &function : module) {
      reached.insert(&function);
    }
  }
  return reached;
}

}  // namespace

Result<void> lower_inline_asm(llvm::Module &module, Compilation &compilation) {
  Diagnostics &diagnostics = compilation.diagnostics;
  if (!module.getModuleInlineAsm().empty()) {
    diagnostics.error("assembly at file scope is not supported in device code");
    module.setModuleInlineAsm("");
  }
  inline_carry_chains(module);
  llvm::SmallPtrSet<llvm::Function *, 32> running = functions_that_run(module);
  unsigned unique = 0;
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::CallInst *, 8> statements;
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
      if (call && asm_of(*call)) {
        statements.push_back(call);
      }
    }
    for (llvm::CallInst *statement : statements) {
      std::string problem = lower(*statement, unique++);
      if (!problem.empty() && running.contains(&function)) {
        diagnostics.error(*statement, problem);
        statement->replaceAllUsesWith(llvm::PoisonValue::get(statement->getType()));
        statement->eraseFromParent();
      }
    }
    if (!statements.empty() && running.contains(&function)) {
      check_carry(function, diagnostics);
    }
  }
  return {};
}

}  // namespace hel::cc
