// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/records.h"

#include "llvm/IR/DataLayout.h"

namespace hel::cc {

using namespace llvm;

namespace {

constexpr unsigned kLongestPeriod = 8;
/// Up to this period one member alone is worth a wide access.
constexpr unsigned kShortPeriod = 4;

/// One load or store as it might join others.
struct Candidate {
  Instruction *inst;
  bool store;
  const Value *root;  ///< the address without constant offsets
  int64_t offset;     ///< from the root
  unsigned bytes, period;
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
  APInt offset(dl.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value *root = pointer->stripAndAccumulateConstantOffsets(dl, offset, /*AllowNonInbounds=*/true);
  uint64_t period = shape.stride / bytes;
  made = {&inst,
          store != nullptr,
          root,
          offset.getSExtValue(),
          static_cast<unsigned>(bytes),
          static_cast<unsigned>(std::min<uint64_t>(period, ~0u))};
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
    close([&](const Open &group) {
      bool same = joins && group.takes(candidate);
      return group.members.front().store ? !same : inst.mayWriteToMemory();
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
