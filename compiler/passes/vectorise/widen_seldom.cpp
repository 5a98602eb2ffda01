// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores on ways that are hardly ever taken: one function of the module does them for the lanes, so that each
// of them is a call in the kernel and not a loop. A large kernel may have hundreds, of which none runs.
#include "compiler/passes/vectorise/widen_seldom.h"

#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace hel::cc {

using namespace llvm;

/// All registers but the callee's own are kept: the usual way through the kernel does not know of the call.
static constexpr char kKeepsRegisters[] = "no_caller_saved_registers";

static constexpr char kLoads[] = "hl.load.lanes.", kStores[] = "hl.store.lanes.";  // and the bytes of a value

bool is_access_of_lanes(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee != nullptr && (callee->getName().starts_with(kLoads) || callee->getName().starts_with(kStores));
}

/// void(places, values, lanes): for each bit of `lanes`, a value of `bytes` from its place, or to it.
static Function *access_of_lanes(Module &module, bool stores, uint64_t bytes) {
  LLVMContext &context = module.getContext();
  std::string name = ((stores ? kStores : kLoads) + Twine(bytes)).str();
  if (Function *known = module.getFunction(name)) {
    return known;
  }
  Type *i32 = Type::getInt32Ty(context), *ptr = PointerType::get(context, 0),
       *value = Type::getIntNTy(context, 8 * static_cast<unsigned>(bytes));
  auto *type = FunctionType::get(Type::getVoidTy(context), {ptr, ptr, i32}, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::Cold, Attribute::NoUnwind}) {
    function->addFnAttr(kind);
  }
  function->addFnAttr(kKeepsRegisters);
  function->setMemoryEffects(stores ? MemoryEffects::writeOnly() | MemoryEffects::argMemOnly(ModRefInfo::Ref)
                                    : MemoryEffects::readOnly() | MemoryEffects::argMemOnly(ModRefInfo::ModRef));
  Argument *places = function->getArg(0), *values = function->getArg(1), *lanes = function->getArg(2);
  BasicBlock *entry = BasicBlock::Create(context, "entry", function),
             *loop = BasicBlock::Create(context, "lane", function),
             *done = BasicBlock::Create(context, "done", function);
  IRBuilder<> builder(entry);
  builder.CreateCondBr(builder.CreateICmpNE(lanes, builder.getInt32(0)), loop, done);
  builder.SetInsertPoint(loop);
  PHINode *left = builder.CreatePHI(i32, 2, "left");
  Value *lane = builder.CreateIntrinsic(Intrinsic::cttz, {i32}, {left, builder.getTrue()}, {}, "lane");
  Value *place = builder.CreateLoad(ptr, builder.CreateInBoundsGEP(ptr, places, lane)),
        *own = builder.CreateInBoundsGEP(value, values, lane);
  Value *from = stores ? own : place, *to = stores ? place : own;
  builder.CreateAlignedStore(builder.CreateAlignedLoad(value, from, Align(1)), to, Align(1));
  Value *rest = builder.CreateAnd(left, builder.CreateSub(left, builder.getInt32(1)));
  left->addIncoming(lanes, entry);
  left->addIncoming(rest, loop);
  builder.CreateCondBr(builder.CreateICmpNE(rest, builder.getInt32(0)), loop, done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return function;
}

/// Does a load or store, the lanes one after the other; null if it gives nothing.
Value *Widener::access_seldom(Instruction &inst) {
  Type *type = getLoadStoreType(&inst);
  constexpr uint64_t kWidest = 16;
  const uint64_t bytes = dl_.getTypeStoreSize(type);
  if (bytes > kWidest) {
    return lane_by_lane(inst, Lane::Small);
  }
  if (seldom_places_ == nullptr) {
    seldom_places_ = lane_table(builder_.getPtrTy(), "seldom.places");
    seldom_values_ = lane_table(builder_.getIntNTy(8 * kWidest), "seldom.values");
  }
  auto *store = dyn_cast<StoreInst>(&inst);
  const Align align = seldom_values_->getAlign();
  builder_.CreateAlignedStore(vector(getLoadStorePointerOperand(&inst)), seldom_places_, align);
  if (store != nullptr) {
    builder_.CreateAlignedStore(vector(store->getValueOperand()), seldom_values_, align);
  }
  Function *access = access_of_lanes(*body_.getParent(), store != nullptr, bytes);
  builder_.CreateCall(access, {seldom_places_, seldom_values_, mask_bits(mask_)})
      ->addFnAttr(Attribute::get(context_, kKeepsRegisters));
  return store != nullptr ? nullptr
                          : builder_.CreateAlignedLoad(wide_type(type), seldom_values_, align, inst.getName());
}

}  // namespace hel::cc
