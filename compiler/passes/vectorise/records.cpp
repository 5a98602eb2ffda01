// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/records.h"

#include "compiler/passes/vectorise/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned kLongestPeriod = 8;
/// Up to this period one member alone is worth a wide access.
constexpr unsigned kShortPeriod = 4;

/// What an access may touch.
enum class Memory { Any, Shared, OfParameter };

/// A parameter of a kernel never points into the shared memory of one of its blocks.
Memory memory_of(const Instruction &inst) {
  const Value *pointer = getLoadStorePointerOperand(&inst);
  if (pointer == nullptr) {
    return Memory::Any;
  }
  if (is_in_shared_memory(pointer, inst.getDataLayout())) {
    return Memory::Shared;
  }
  return isa<Argument>(getUnderlyingObject(pointer, 0)) ? Memory::OfParameter : Memory::Any;
}

bool are_apart(Memory a, Memory b) { return a != b && a != Memory::Any && b != Memory::Any; }

/// An address without constant offsets: `start`, and what is added to it `size` times, if anything.
struct Root {
  enum class Extension { None, Signed, Unsigned };
  const Value *start = nullptr, *index = nullptr;
  Extension extension = Extension::None;
  uint64_t size = 0;

  bool operator==(const Root &) const = default;
};

/// Takes constants out of the sum that `index` is; neither the sum nor its extension wraps around.
int64_t take_constants(const Value *&index, Root::Extension &extension) {
  if (const auto *cast = dyn_cast<CastInst>(index); cast != nullptr && isa<SExtInst, ZExtInst>(cast)) {
    extension = isa<SExtInst>(cast) || cast->hasNonNeg() ? Root::Extension::Signed : Root::Extension::Unsigned;
    index = cast->getOperand(0);
  } else if (index->getType()->getIntegerBitWidth() < 64) {
    extension = Root::Extension::Signed;  // as getelementptr does
  }
  int64_t taken = 0;
  for (;;) {
    Value *other = nullptr;
    const APInt *constant = nullptr;
    bool adds = extension == Root::Extension::None     ? match(index, m_AddLike(m_Value(other), m_APInt(constant)))
                : extension == Root::Extension::Signed ? match(index, m_NSWAddLike(m_Value(other), m_APInt(constant)))
                                                       : match(index, m_NUWAddLike(m_Value(other), m_APInt(constant)));
    if (!adds || constant->getBitWidth() > 64 || constant->isNegative()) {
      return taken;
    }
    taken += constant->getSExtValue();
    index = other;
  }
}

Root root_of(const Value *pointer, const DataLayout &dl, int64_t &offset) {
  auto strip = [&](const Value *value) {
    APInt constant(dl.getIndexTypeSizeInBits(value->getType()), 0);
    value = value->stripAndAccumulateConstantOffsets(dl, constant, /*AllowNonInbounds=*/true);
    offset += constant.getSExtValue();
    return value;
  };
  Root root;
  root.start = strip(pointer);
  const auto *gep = dyn_cast<GEPOperator>(root.start);
  if (gep == nullptr || gep->getNumIndices() != 1 || !gep->idx_begin()->get()->getType()->isIntegerTy()) {
    return root;
  }
  root.index = gep->idx_begin()->get();
  root.size = dl.getTypeAllocSize(gep->getSourceElementType()).getFixedValue();
  offset += static_cast<int64_t>(root.size) * take_constants(root.index, root.extension);
  root.start = strip(gep->getPointerOperand());
  return root;
}

/// One load or store as it might join others.
struct Candidate {
  Instruction *inst;
  bool store;
  Root root;
  int64_t offset;     ///< from the root
  unsigned bytes, period;
  Memory memory;
};

bool make_candidate(Instruction &inst, const ShapeAnalysis &shapes, Candidate &made) {
  auto *load = dyn_cast<LoadInst>(&inst);
  auto *store = dyn_cast<StoreInst>(&inst);
  if (load != nullptr ? !load->isSimple() : store == nullptr || !store->isSimple()) {
    return false;
  }
  const DataLayout &dl = inst.getDataLayout();
  Type *type = getLoadStoreType(&inst);
  const Value *pointer = getLoadStorePointerOperand(&inst);
  Shape shape = shapes.of(pointer);
  uint64_t bytes = dl.getTypeStoreSize(type);
  bool simple = (type->isIntegerTy() || type->isFloatingPointTy()) && bytes <= 8 && isPowerOf2_64(bytes) &&
                dl.typeSizeEqualsStoreSize(type);
  if (!simple || !shape.is_linear() || shape.stride <= 0 || shape.stride % bytes != 0) {
    return false;
  }
  int64_t offset = 0;
  const Root root = root_of(pointer, dl, offset);
  uint64_t period = shape.stride / bytes;
  made = {&inst,
          store != nullptr,
          root,
          offset,
          static_cast<unsigned>(bytes),
          static_cast<unsigned>(std::min<uint64_t>(period, ~0u)),
          memory_of(inst)};
  return period >= 2 && period <= kLongestPeriod;
}

/// Members that are being collected, by their offsets from the root.
struct Open {
  SmallVector<Candidate, 4> members;
  int64_t low = 0, high = 0;

  explicit Open(const Candidate &first) : members{first}, low(first.offset), high(first.offset) {}

  bool takes(const Candidate &next) const {
    const Candidate &first = members.front();
    if (next.store != first.store || next.root != first.root || next.bytes != first.bytes ||
        next.period != first.period || (next.offset - low) % next.bytes != 0) {
      return false;
    }
    int64_t span = std::max(high, next.offset) - std::min(low, next.offset);
    bool again = any_of(members, [&](const Candidate &member) { return member.offset == next.offset; });
    return span < static_cast<int64_t>(next.bytes) * next.period && !again;
  }

  void add(const Candidate &next) {
    low = std::min(low, next.offset);
    high = std::max(high, next.offset);
    members.push_back(next);
  }

  bool is_worth_it() const {
    const Candidate &first = members.front();
    bool whole = members.size() == first.period;
    if (first.store && first.bytes < 4 && !whole) {
      return false;  // no masks for such elements everywhere
    }
    return first.period <= kShortPeriod || members.size() * 2 >= first.period;
  }

  RecordAccess finish() const {
    const Candidate &first = members.front();
    RecordAccess made;
    made.stores = first.store;
    made.element_bytes = first.bytes;
    made.period = first.period;
    made.start = low - first.offset;
    for (const Candidate &member : members) {
      made.members.push_back(member.inst);
      made.positions.push_back(static_cast<unsigned>((member.offset - low) / first.bytes));
    }
    return made;
  }
};

}  // namespace

unsigned RecordAccess::width() const { return *std::max_element(positions.begin(), positions.end()) + 1; }

std::vector<RecordAccess> find_record_accesses(BasicBlock &block, const ShapeAnalysis &shapes) {
  std::vector<RecordAccess> found;
  SmallVector<Open, 4> open;
  auto close = [&](auto &&which) {
    for (const Open &group : open) {
      if (which(group) && group.is_worth_it()) {
        found.push_back(group.finish());
      }
    }
    erase_if(open, which);
  };
  for (Instruction &inst : block) {
    if (!inst.mayReadOrWriteMemory()) {
      continue;
    }
    Candidate candidate;
    bool joins = make_candidate(inst, shapes, candidate);
    // Loads come early: nothing may write before them. Stores come late: nothing else may touch memory after them.
    // Other memory than theirs does not count.
    bool orders = !isa<LoadInst, StoreInst>(inst) || inst.isAtomic() || inst.isVolatile();
    const Memory memory = orders ? Memory::Any : memory_of(inst);
    close([&](const Open &group) {
      const Candidate &first = group.members.front();
      bool same = joins && group.takes(candidate);
      return !are_apart(first.memory, memory) && (first.store ? !same : inst.mayWriteToMemory());
    });
    if (!joins) {
      continue;
    }
    auto group = find_if(open, [&](const Open &o) { return o.takes(candidate); });
    if (group != open.end()) {
      group->add(candidate);
    } else {
      open.push_back(Open(candidate));
    }
  }
  close([](const Open &) { return true; });
  return found;
}

}  // namespace hel::cc
