// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/simt_ops.h"

#include "abi/thread.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

using ThreadType = abi::ThreadState;
using LaunchType = abi::LaunchState;

const SimtOp kOps[] = {
#define HEL_SIMT_FIELD(name, state, field, limit, uniform)                                                        \
  {name, SimtKind::state##Field, Uniform::uniform, Effect::Pure, static_cast<uint32_t>(offsetof(state##Type, field)), \
   sizeof(static_cast<state##Type *>(nullptr)->field), limit, {}, 'v', {}},
#define HEL_SIMT_CALL(name, function, result, arguments, uniform, effect) \
  {name, SimtKind::Call, Uniform::uniform, Effect::effect, 0, 0, 0, function, #result[0], arguments},
#define HEL_SIMT_CODE(name, emitter, uniform, effect) \
  {name, SimtKind::Code, Uniform::uniform, Effect::effect, 0, 0, 0, #emitter, 'v', {}},
#include "compiler/ir/simt_ops.def"
};

const llvm::StringMap<const SimtOp *> &index() {
  static const llvm::StringMap<const SimtOp *> map = [] {
    llvm::StringMap<const SimtOp *> result;
    for (const SimtOp &op : kOps) {
      result[op.name] = &op;
    }
    return result;
  }();
  return map;
}

}  // namespace

const SimtOp *find_simt_op(const llvm::Function &declaration) {
  llvm::Intrinsic::ID id = declaration.getIntrinsicID();
  if (id == llvm::Intrinsic::not_intrinsic) {
    return nullptr;
  }
  llvm::StringRef name = llvm::Intrinsic::getBaseName(id);
  if (!name.consume_front("llvm.nvvm.")) {
    return nullptr;
  }
  auto found = index().find(name);
  return found == index().end() ? nullptr : found->second;
}

const llvm::Value *named_lanes(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  const SimtOp *op = callee != nullptr ? find_simt_op(*callee) : nullptr;
  if (op == nullptr) {
    return nullptr;
  }
  int operand = llvm::StringSwitch<int>(op->function)
                    .Cases({"__hl_warp_sync", "__hl_shfl", "__hl_vote", "__hl_match_any_32"}, 0)
                    .Cases({"__hl_match_any_64", "__hl_match_all_32", "__hl_match_all_64"}, 0)
                    .Case("__hl_redux", 1)
                    .Default(-1);
  return operand < 0 ? nullptr : call.getArgOperand(operand);
}

bool is_meeting_point(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"__hl_barrier", "__hl_barrier_arrive", "__hl_barrier_red_popc", "__hl_barrier_red_and"}, true)
      .Cases({"__hl_barrier_red_or", "__hl_barrier_red_lanes", "__hl_grid_sync", "__hl_warp_sync", "__hl_shfl", "__hl_vote"}, true)
      .Cases({"__hl_match_any_32", "__hl_match_any_64", "__hl_match_all_32", "__hl_match_all_64"}, true)
      .Cases({"__hl_redux", "__hl_activemask", "__hl_yield", "__hl_nanosleep"}, true)
      .Default(false);
}

bool is_engine_function(llvm::StringRef name) {
  return is_meeting_point(name) ||
         llvm::StringSwitch<bool>(name)
             .Cases({"__hl_vprintf", "__hl_assert_fail", "__hl_trap", "__hl_exit", "__hl_malloc", "__hl_aligned_malloc"}, true)
             .Cases({"__hl_free", "__hl_clock64", "__hl_globaltimer", "__hl_sm_id", "__hl_sm_count"}, true)
             .Cases({"__hl_unsupported", "__hl_fault", "__hl_space_of", "__hl_members_missing", "__hl_is_cooperative"}, true)
             .Default(false);
}

}  // namespace hel::cc
