// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/kernel_facts.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

constexpr llvm::StringLiteral kKernel = "hl.kernel";

/// Reads "1,2,3"; missing numbers stay 0.
std::vector<uint32_t> numbers(const llvm::Function &function, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> parts;
  function.getFnAttribute(name).getValueAsString().split(parts, ',', -1, /*KeepEmpty=*/false);
  std::vector<uint32_t> result;
  for (llvm::StringRef part : parts) {
    uint32_t number = 0;
    part.trim().getAsInteger(10, number);
    result.push_back(number);
  }
  return result;
}

uint32_t number(const llvm::Function &function, llvm::StringRef name) {
  std::vector<uint32_t> all = numbers(function, name);
  return all.empty() ? 0 : all[0];
}

void read_three(const llvm::Function &function, llvm::StringRef name, uint32_t (&out)[3]) {
  std::vector<uint32_t> all = numbers(function, name);
  if (all.empty()) {
    return;
  }
  for (size_t i = 0; i < 3; ++i) {
    out[i] = i < all.size() ? all[i] : 1;
  }
}

std::string three(const uint32_t (&value)[3]) { return format("%u,%u,%u", value[0], value[1], value[2]); }

using CallGraph = llvm::DenseMap<llvm::Function *, llvm::SmallVector<llvm::Function *, 4>>;

/// Depth first, without recursion of our own: a call of a function that is still open closes a cycle.
bool has_cycle(const CallGraph &callees, llvm::Function *root) {
  enum State { New, Open, Done };
  llvm::DenseMap<llvm::Function *, State> states;
  llvm::SmallVector<llvm::Function *, 16> stack{root};
  while (!stack.empty()) {
    llvm::Function *function = stack.back();
    State &state = states[function];
    if (state != New) {
      state = Done;
      stack.pop_back();
      continue;
    }
    state = Open;
    auto known = callees.find(function);
    if (known == callees.end()) {
      continue;
    }
    for (llvm::Function *callee : known->second) {
      State there = states.lookup(callee);
      if (there == Open) {
        return true;
      }
      if (there == New) {
        stack.push_back(callee);
      }
    }
  }
  return false;
}

}  // namespace

bool is_kernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel || function.hasFnAttribute(kKernel);
}

void mark_kernel(llvm::Function &function) { function.addFnAttr(kKernel); }

KernelFacts read_kernel_facts(const llvm::Function &kernel) {
  KernelFacts facts;
  std::vector<uint32_t> params = numbers(kernel, "hl.params");
  for (size_t i = 0; i + 1 < params.size(); i += 2) {
    facts.params.push_back({params[i], params[i + 1]});
  }
  facts.param_bytes = number(kernel, "hl.param_bytes");
  facts.static_shared_bytes = number(kernel, "hl.static_shared_bytes");
  facts.min_blocks = number(kernel, "nvvm.minctasm");
  read_three(kernel, "hl.block_size", facts.required_block);
  read_three(kernel, "nvvm.cluster_dim", facts.cluster);
  facts.flags = number(kernel, "hl.flags");
  facts.arch = number(kernel, "hl.arch");
  facts.engine_note = kernel.getFnAttribute("hl.engine_note").getValueAsString().str();
  std::vector<uint32_t> bounds = numbers(kernel, "nvvm.maxntid");
  uint32_t product = bounds.empty() ? 0 : 1;
  for (uint32_t bound : bounds) {
    product *= bound;
  }
  if (product == 0) {
    product = facts.required_block[0] * facts.required_block[1] * facts.required_block[2];
  }
  facts.max_threads = product;
  return facts;
}

void write_kernel_facts(llvm::Function &kernel, const KernelFacts &facts) {
  std::string params;
  for (const abi::ParamInfo &param : facts.params) {
    params += format("%s%u,%u", params.empty() ? "" : ",", param.offset, param.bytes);
  }
  kernel.addFnAttr("hl.params", params);
  kernel.addFnAttr("hl.param_bytes", std::to_string(facts.param_bytes));
  kernel.addFnAttr("hl.static_shared_bytes", std::to_string(facts.static_shared_bytes));
  kernel.addFnAttr("hl.flags", std::to_string(facts.flags));
  if (facts.arch) {
    kernel.addFnAttr("hl.arch", std::to_string(facts.arch));
  }
  if (!facts.engine_note.empty()) {
    kernel.addFnAttr("hl.engine_note", facts.engine_note);
  }
  if (facts.max_threads) {
    kernel.addFnAttr("nvvm.maxntid", std::to_string(facts.max_threads));
  }
  if (facts.min_blocks) {
    kernel.addFnAttr("nvvm.minctasm", std::to_string(facts.min_blocks));
  }
  if (facts.required_block[0]) {
    kernel.addFnAttr("hl.block_size", three(facts.required_block));
  }
  if (facts.cluster[0]) {
    kernel.addFnAttr("nvvm.cluster_dim", three(facts.cluster));
  }
}

std::vector<llvm::Function *> defined_kernels(llvm::Module &module) {
  std::vector<llvm::Function *> kernels;
  for (llvm::Function &function : module) {
    if (!function.isDeclaration() && is_kernel(function)) {
      kernels.push_back(&function);
    }
  }
  return kernels;
}

Reach functions_reached(llvm::Function &root) {
  Reach reach;
  reach.functions.insert(&root);
  auto add_address_taken = [&] {
    for (llvm::Function &function : *root.getParent()) {
      if (!function.isDeclaration() && !is_kernel(function) && function.hasAddressTaken()) {
        reach.functions.insert(&function);
      }
    }
  };
  CallGraph callees;
  for (size_t i = 0; i < reach.functions.size(); ++i) {
    llvm::Function *function = reach.functions[i];
    for (llvm::Instruction &inst : llvm::instructions(*function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
      if (!call || call->isInlineAsm()) {
        continue;
      }
      auto *callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
      if (!callee) {
        if (!reach.indirect_calls) {
          add_address_taken();
        }
        reach.indirect_calls = true;
      } else if (!callee->isDeclaration()) {
        reach.functions.insert(callee);
        callees[function].push_back(callee);
      }
    }
  }
  reach.recursive = has_cycle(callees, &root);
  return reach;
}

void for_each_variable_used(llvm::Function &function, llvm::function_ref<void(llvm::GlobalVariable &)> visit) {
  llvm::SmallPtrSet<llvm::Constant *, 32> seen;
  llvm::SmallVector<llvm::Constant *, 16> work;
  auto push = [&](llvm::Value *value) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant && !llvm::isa<llvm::ConstantData>(constant) && seen.insert(constant).second) {
      work.push_back(constant);
    }
  };
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    for (llvm::Value *operand : inst.operands()) {
      push(operand);
    }
  }
  while (!work.empty()) {
    llvm::Constant *constant = work.pop_back_val();
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
      visit(*variable);
      continue;  // a variable's initialiser cannot lead to shared memory
    }
    if (llvm::isa<llvm::GlobalValue>(constant)) {
      continue;
    }
    for (llvm::Value *operand : constant->operands()) {
      push(operand);
    }
  }
}

}  // namespace hel::cc
