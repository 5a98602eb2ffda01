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

namespace {

/// How a function finds the place of a lane: in a table, or by an index of 32 bits that steps from lane to lane and
/// wraps around.
enum class Places { InTable, Unsigned, Signed };

/// void(values, lanes, places), or void(values, lanes, base, scale, first, step): for each bit of `lanes`, a value of
/// `bytes` from its place, or to it. The place of a lane is `base + scale * (first + step * lane)`.
class AccessOfLanes {
public:
  AccessOfLanes(Module &module, bool stores, uint64_t bytes, Places places)
      : module_(module),
        builder_(module.getContext()),
        stores_(stores),
        places_(places),
        value_(builder_.getIntNTy(8 * static_cast<unsigned>(bytes))),
        name_(((stores ? kStores : kLoads) + Twine(bytes) +
               (places == Places::InTable    ? ""
                : places == Places::Unsigned ? ".unsigned"
                                             : ".signed"))
                  .str()) {}

  Function *find_or_write() {
    Function *known = module_.getFunction(name_);
    return known != nullptr ? known : write();
  }

private:
  Function *create() {
    Type *i32 = builder_.getInt32Ty(), *i64 = builder_.getInt64Ty(), *ptr = builder_.getPtrTy();
    SmallVector<Type *, 6> parameters = {ptr, i32, ptr};
    if (places_ != Places::InTable) {
      parameters.append({i64, i32, i32});
    }
    auto *type = FunctionType::get(builder_.getVoidTy(), parameters, false);
    Function *function = Function::Create(type, GlobalValue::InternalLinkage, name_, module_);
    for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::Cold, Attribute::NoUnwind}) {
      function->addFnAttr(kind);
    }
    function->addFnAttr(kKeepsRegisters);
    function->setMemoryEffects(stores_ ? MemoryEffects::writeOnly() | MemoryEffects::argMemOnly(ModRefInfo::Ref)
                                       : MemoryEffects::readOnly() | MemoryEffects::argMemOnly(ModRefInfo::ModRef));
    return function;
  }

  Value *place_of(Value *lane) {
    if (places_ == Places::InTable) {
      Type *ptr = builder_.getPtrTy();
      return builder_.CreateLoad(ptr, builder_.CreateInBoundsGEP(ptr, function_->getArg(2), lane));
    }
    Value *base = function_->getArg(2), *scale = function_->getArg(3), *first = function_->getArg(4),
          *step = function_->getArg(5);
    Value *index = builder_.CreateAdd(first, builder_.CreateMul(lane, step));
    index = places_ == Places::Signed ? builder_.CreateSExt(index, scale->getType())
                                      : builder_.CreateZExt(index, scale->getType());
    return builder_.CreateGEP(builder_.getInt8Ty(), base, builder_.CreateMul(index, scale));
  }

  Function *write() {
    function_ = create();
    LLVMContext &context = module_.getContext();
    Type *i32 = builder_.getInt32Ty();
    Argument *values = function_->getArg(0), *lanes = function_->getArg(1);
    BasicBlock *entry = BasicBlock::Create(context, "entry", function_),
               *loop = BasicBlock::Create(context, "lane", function_),
               *done = BasicBlock::Create(context, "done", function_);
    builder_.SetInsertPoint(entry);
    builder_.CreateCondBr(builder_.CreateICmpNE(lanes, builder_.getInt32(0)), loop, done);
    builder_.SetInsertPoint(loop);
    PHINode *left = builder_.CreatePHI(i32, 2, "left");
    Value *lane = builder_.CreateIntrinsic(Intrinsic::cttz, {i32}, {left, builder_.getTrue()}, {}, "lane");
    Value *place = place_of(lane), *own = builder_.CreateInBoundsGEP(value_, values, lane);
    Value *from = stores_ ? own : place, *to = stores_ ? place : own;
    builder_.CreateAlignedStore(builder_.CreateAlignedLoad(value_, from, Align(1)), to, Align(1));
    Value *rest = builder_.CreateAnd(left, builder_.CreateSub(left, builder_.getInt32(1)));
    left->addIncoming(lanes, entry);
    left->addIncoming(rest, loop);
    builder_.CreateCondBr(builder_.CreateICmpNE(rest, builder_.getInt32(0)), loop, done);
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
    return function_;
  }

  Module &module_;
  IRBuilder<> builder_;
  const bool stores_;
  const Places places_;
  Type *const value_;
  const std::string name_;
  Function *function_ = nullptr;
};

/// What makes `pointer` out of a base that all lanes share and an index of 32 bits; null if it is made otherwise.
CastInst *index_that_steps(const Value *pointer, const ShapeAnalysis &shapes) {
  const auto *gep = dyn_cast<GetElementPtrInst>(pointer);
  auto *index = gep != nullptr && gep->getNumIndices() == 1 ? dyn_cast<CastInst>(gep->getOperand(1)) : nullptr;
  return index != nullptr && isa<SExtInst, ZExtInst>(index) && index->getSrcTy()->isIntegerTy(32) &&
                 index->getDestTy()->isIntegerTy(64) && shapes.of(gep->getPointerOperand()).is_uniform() &&
                 shapes.of(index->getOperand(0)).kind == Shape::Affine
             ? index
             : nullptr;
}

}  // namespace

/// Does a load or store, the lanes one after the other; null if it gives nothing.
Value *Widener::access_seldom(Instruction &inst) {
  Type *type = getLoadStoreType(&inst);
  constexpr uint64_t kWidest = 16;
  const uint64_t bytes = dl_.getTypeStoreSize(type);
  if (bytes > kWidest) {
    return lane_by_lane(inst, Lane::Small);
  }
  if (seldom_values_ == nullptr) {
    seldom_values_ = lane_table(builder_.getIntNTy(8 * kWidest), "seldom.values");
  }
  auto *store = dyn_cast<StoreInst>(&inst);
  const Align align = seldom_values_->getAlign();
  Value *pointer = getLoadStorePointerOperand(&inst);
  SmallVector<Value *, 6> arguments = {seldom_values_, mask_bits(mask_)};
  Places places = Places::InTable;
  if (const CastInst *index = index_that_steps(pointer, shapes_)) {
    auto *gep = cast<GetElementPtrInst>(pointer);
    places = isa<SExtInst>(index) ? Places::Signed : Places::Unsigned;
    arguments.append({scalar(gep->getPointerOperand()),
                      builder_.getInt64(dl_.getTypeAllocSize(gep->getSourceElementType())),
                      base(index->getOperand(0), 0),
                      builder_.getInt32(static_cast<uint32_t>(shape_of(index->getOperand(0)).stride))});
  } else {
    if (seldom_places_ == nullptr) {
      seldom_places_ = lane_table(builder_.getPtrTy(), "seldom.places");
    }
    builder_.CreateAlignedStore(vector(pointer), seldom_places_, align);
    arguments.push_back(seldom_places_);
  }
  if (store != nullptr) {
    builder_.CreateAlignedStore(vector(store->getValueOperand()), seldom_values_, align);
  }
  Function *access = AccessOfLanes(*body_.getParent(), store != nullptr, bytes, places).find_or_write();
  builder_.CreateCall(access, arguments)->addFnAttr(Attribute::get(context_, kKeepsRegisters));
  return store != nullptr ? nullptr
                          : builder_.CreateAlignedLoad(wide_type(type), seldom_values_, align, inst.getName());
}

}  // namespace hel::cc
