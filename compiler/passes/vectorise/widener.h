// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one widening: a scalar kernel is read block by block in linear order, and a function is written that
// does for the 32 lanes of a warp what the kernel does for one thread. Internal to passes/vectorise.
//
// A value of the kernel becomes a scalar (uniform), one or a few scalar bases with a constant stride (affine, rows) or
// a <32 x T> vector. Values that cross blocks live in stack cells that mem2reg turns into SSA afterwards; so do the
// masks: the cell of block b collects the lanes that wait for b.
#pragma once

#include "compiler/passes/vectorise/callees.h"
#include "compiler/passes/vectorise/linear_order.h"
#include "compiler/passes/vectorise/meetings.h"
#include "compiler/passes/vectorise/records.h"
#include "compiler/passes/vectorise/shape.h"
#include "compiler/passes/vectorise/streamed_stores.h"
#include "compiler/passes/vectorise/ways.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

#include <optional>
#include <string>

namespace hel::cc {

inline constexpr unsigned kWarpSize = 32;

/// `pointer` of the kernel points into the shared memory of its block, whichever way it came about.
bool is_in_shared_memory(const llvm::Value *pointer, const llvm::DataLayout &dl);
/// Or into an interleaved local array.
bool is_in_small_memory(const llvm::Value *pointer, const llvm::DataLayout &dl);

/// What a value of `type` is kept as in memory where one lane's is picked by its number: vectors of integers of other
/// widths than 8, 16, 32 … bits have no such places.
llvm::Type *memory_type(llvm::Type *type);

/// Addresses of partners (widen_partners.cpp) are made in the blocks that use them, where their indices can be looked
/// at.
void make_partners_where_used(llvm::Function &kernel);

/// What LLVM is told of a loop, at the branch back.
void set_loop_hint(llvm::BranchInst &latch, llvm::ArrayRef<llvm::Metadata *> hint);

class Widener {
public:
  /// `body` is an empty function of body_type(). With `full`, `lanes` is all ones.
  Widener(llvm::Function &kernel, llvm::Function &body, LaneLayout layout, bool full);

  /// What is behind a guard (`i < n`) is written a second time, without masks, for warps that pass it whole.
  void write_guarded_twice() { guarded_twice_ = true; }

  /// What lanes do one after the other is written once, and not also for warps of which all lanes are there.
  void write_little_code() { little_code_ = true; }

  /// Blocks are one row of threads: threadIdx.y and .z are 0.
  void assume_one_row() { one_row_ = true; }

  /// Writes the body; false when the kernel uses what this engine cannot run (see refusal()).
  bool run();
  const std::string &refusal() const { return refusal_; }
  bool uses_barrier() const { return uses_barrier_; }

private:
  using Values = llvm::SmallVector<llvm::Value *, 4>;
  using Cells = llvm::SmallVector<llvm::AllocaInst *, 4>;

  /// A block of the kernel is written in up to two forms: for some lanes, under a mask, and for all of them.
  enum Form { Apart, Together };

  struct Wide {
    Shape shape;
    Values bases;  ///< uniform: the value; affine: lane 0's; rows: that of each row's first lane
    llvm::Value *vector = nullptr;
    llvm::Value *holds = nullptr;  ///< guarded: whether the bases tell the truth
  };
  using Way = MapOfWays<llvm::Value *, Wide>::Way;

  // widener.cpp: values and cells
  void refuse(const llvm::Twine &why);
  void emit_prologue();
  llvm::Value *constant_field(llvm::Type *type, llvm::Value *base, uint64_t offset);
  llvm::Type *wide_type(llvm::Type *type) const;
  Shape shape_of(const llvm::Value *value) const { return shapes_.of(value); }
  llvm::Value *scalar(llvm::Value *value);
  llvm::Value *vector(llvm::Value *value);
  const Wide &wide(llvm::Value *value);
  void define(llvm::Instruction &inst, llvm::ArrayRef<llvm::Value *> result);
  void create_cells();
  void find_blocks_of_use(llvm::Instruction &inst, llvm::SmallPtrSetImpl<llvm::BasicBlock *> &blocks) const;

  llvm::AllocaInst *cell(llvm::Type *type, const llvm::Twine &name);
  llvm::Value *lane_numbers(llvm::Type *element, int64_t stride) const;

  // widen_linear.cpp: values of which only the bases are computed
  unsigned row_count() const { return short_row(layout_) != 0 ? kWarpSize / short_row(layout_) : 1; }
  unsigned base_count(const Shape &shape) const { return shape.kind == Shape::Rows ? row_count() : 1; }
  /// What the first lane of a row holds of a value that is uniform or linear.
  llvm::Value *base(llvm::Value *value, unsigned row);
  Values linear_bases(llvm::Instruction &inst);
  Wide remake(llvm::Instruction &inst);
  llvm::Value *no_wrap(llvm::CastInst &extension, const Values &bases, int64_t stride);
  llvm::Value *spread(const Wide &wide, llvm::Type *type);
  llvm::Value *concat(llvm::ArrayRef<llvm::Value *> parts);
  /// The `part`-th of `parts` equal pieces of a vector.
  llvm::Value *piece(llvm::Value *vector, unsigned part, unsigned parts);
  /// Two ways to the same values: `fast` where `holds` (null: always), else `slow`. Values may be null: none.
  Values either_of(llvm::Value *holds, llvm::function_ref<Values()> fast, llvm::function_ref<Values()> slow);
  llvm::Value *either(llvm::Value *holds, llvm::function_ref<llvm::Value *()> fast,
                      llvm::function_ref<llvm::Value *()> slow);
  void one_of_two_ways(llvm::Value *holds, llvm::function_ref<void()> fast, llvm::function_ref<void()> slow);
  llvm::Value *blend(llvm::Value *condition, llvm::Value *yes, llvm::Value *no);

  // widen_control.cpp
  void emit_entry(unsigned index);
  void emit_block(unsigned index);
  void emit_edge(llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *edge_mask);
  void emit_phis(llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *edge_mask);
  void emit_terminator(unsigned index);
  void emit_latch(unsigned index);
  unsigned after_loop(unsigned latch) const;
  void emit_parting(unsigned index, llvm::Value *condition);
  bool stores_plainly(llvm::BasicBlock *from, llvm::BasicBlock *to) const;
  llvm::Value *any(llvm::Value *mask);
  llvm::Value *mask_bits(llvm::Value *mask);
  static bool is_all_ones(const llvm::Value *mask);
  void find_whole_masks();
  bool only_exits_pending(unsigned index) const;

  // widen_together.cpp: what a warp runs while all of its lanes are at one place
  class Forms;
  void find_forms();
  bool is_guard(const llvm::BasicBlock *block) const;
  bool is_guard(const llvm::Value *condition) const;
  void emit_together_terminator(unsigned index);
  void go_together(llvm::BasicBlock *from, llvm::BasicBlock *to);
  bool parts_at(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const;
  void emit_guard(unsigned index);
  llvm::Value *settled(llvm::Value *condition, bool truth);
  llvm::Value *settled_comparison(const llvm::ICmpInst &compare, bool truth);

  // widen_last_turn.cpp
  struct Count;
  std::optional<Count> count_of(llvm::Value *condition) const;
  llvm::Value *lanes_counted(llvm::Value *condition);
  bool ends_after_parting(const llvm::Loop &loop) const;
  void tell_last_turn(llvm::BranchInst &branch, llvm::BasicBlock *header, llvm::BasicBlock *if_taken) const;
  unsigned next_outside(unsigned index) const;
  bool leave_together(unsigned index);

  // widen_instruction.cpp
  void emit_instruction(llvm::Instruction &inst);
  void emit_uniform(llvm::Instruction &inst);
  llvm::Value *elementwise(llvm::Instruction &inst);
  llvm::Value *divisors(llvm::BinaryOperator &division);
  llvm::Value *address_vector(llvm::GetElementPtrInst &gep);
  void for_each_lane(llvm::Value *mask, llvm::function_ref<void(llvm::Value *lane)> emit);
  void for_all_lanes(llvm::function_ref<void(llvm::Value *lane)> emit);
  void for_many_lanes(llvm::Value *mask, llvm::function_ref<void(llvm::Value *lane)> emit);
  /// How lanes run one after the other: in little code; fast where all are here; or as threads that know who they are.
  enum class Lane { Small, Fast, AsThread };
  /// `address`, if given, sets the address operand (the first) of a lane's copy.
  using SetAddress = llvm::function_ref<void(llvm::Instruction &copy, llvm::Value *lane)>;
  llvm::Value *lane_by_lane(llvm::Instruction &inst, Lane lane, SetAddress address = nullptr);
  llvm::AllocaInst *lane_table(llvm::Type *type, const llvm::Twine &name);
  void emit_lane_by_lane(llvm::Instruction &inst, Lane lane);
  void emit_lane_state(llvm::Value *lane);

  // widen_memory.cpp
  void emit_load(llvm::LoadInst &load);
  void emit_store(llvm::StoreInst &store);
  void store_to_one_place(llvm::StoreInst &store);
  llvm::Value *load_in_pieces(llvm::LoadInst &load, const Values &places);
  llvm::Value *fill_register(llvm::Value *vector, llvm::Type *element);
  Values load_once_a_row(llvm::LoadInst &load);
  llvm::Value *places_in_row(llvm::Value *pointer, unsigned row);
  llvm::Value *gather_by_rows(llvm::LoadInst &load);
  void scatter_by_rows(llvm::StoreInst &store);
  void store_in_pieces(llvm::StoreInst &store, const Values &places);
  llvm::Value *load_from_anywhere(llvm::LoadInst &load);
  void store_anywhere(llvm::StoreInst &store);
  Values bases(llvm::Value *pointer);
  void store_side_by_side(llvm::Value *values, llvm::Value *place, llvm::Align align, bool may_stream);

  // widen_seldom.cpp
  llvm::Value *access_seldom(llvm::Instruction &inst);

  // widen_neighbours.cpp
  struct Neighbours {
    Values places;  ///< of the first lane of the warp or of each row
    llvm::Value *holds = nullptr;
  };
  std::optional<int64_t> step_in_stretches(const llvm::Value *value, unsigned depth) const;
  bool may_be_neighbours(const llvm::Value *pointer, llvm::Type *element) const;
  llvm::CastInst *narrow_index(llvm::Value *pointer, uint64_t bytes) const;
  Neighbours find_neighbours(llvm::Value *pointer, llvm::Type *element);

  // widen_partners.cpp
  struct Partners {
    llvm::Value *place;  ///< of the row of elements
    llvm::Value *lanes;  ///< the element of each lane, and the lane of each element
    llvm::Value *hold;   ///< whether the lanes access such a row
  };
  bool may_be_partners(llvm::Value *pointer, llvm::Type *element) const;
  Partners find_partners(llvm::Value *pointer, llvm::Type *element);
  llvm::Value *elements_of(const Partners &partners);
  llvm::Value *load_of_partners(llvm::LoadInst &load, const Partners &partners);
  void store_to_partners(llvm::StoreInst &store, const Partners &partners);

  // widen_rounds.cpp: how much a launch touches
  uint64_t bytes_a_round(const llvm::Loop &loop) const;
  bool goes_in_rounds(const llvm::Loop &loop) const;
  bool takes_long(const llvm::Loop &loop) const;
  llvm::SmallSetVector<llvm::Value *, 8> places_read_in_rounds() const;
  void add_what_makes(llvm::Value &value, llvm::SmallSetVector<llvm::Value *, 8> &kept) const;
  void prepare_rounds();
  void foresee_rounds(const llvm::Loop &loop);
  void prefetch_next_round(const llvm::Loop &loop);
  void end_round(llvm::BasicBlock *latch, llvm::BasicBlock *header);
  void emit_alloca(llvm::AllocaInst &alloca);

  // widen_records.cpp
  bool emit_record_member(llvm::Instruction &inst);
  llvm::Value *record_start(const RecordAccess &access, unsigned part);
  llvm::Align record_alignment(const RecordAccess &access);
  Values load_records(const RecordAccess &access);
  Values store_records(const RecordAccess &access);
  Values records_lane_by_lane(const RecordAccess &access);

  // widen_shared.cpp
  /// The lanes' places: `start` + key * step. Lanes with one key name one place.
  struct LanePlaces {
    llvm::Value *start, *keys;
    bool is_signed;  ///< the keys are
    uint64_t step;
  };
  std::pair<llvm::Value *, llvm::Value *> shared_place(llvm::Value *pointer);
  std::optional<LanePlaces> places_by_index(llvm::Value *pointer);
  llvm::Value *place_of(const LanePlaces &places, llvm::Value *key);
  llvm::Value *unread_places(llvm::Type *type);

  // widen_atomics.cpp
  void emit_atomic(llvm::Instruction &inst);
  void emit_one_atomic(llvm::AtomicRMWInst &rmw, bool in_shared);
  void emit_shared_atomic(llvm::Instruction &inst);
  llvm::Value *atomic_lane_by_lane(llvm::Instruction &inst, const LanePlaces &places, Lane manner);
  void emit_counting(llvm::AtomicRMWInst &rmw, LanePlaces places);
  llvm::Value *lanes_with(llvm::Value *key, const LanePlaces &places, llvm::Value *lanes);
  void join_alike(llvm::AtomicRMWInst &rmw, LanePlaces places, unsigned few, llvm::function_ref<void()> apart);
  void place_by_place(llvm::AtomicRMWInst &rmw, const LanePlaces &places, unsigned few);
  struct Joined {
    llvm::Value *total;
    llvm::Value *present;  ///< lane by lane, with the identity in absent ones; null where it is a count times one value
  };
  Joined joined_operands(llvm::AtomicRMWInst &rmw, llvm::Value *mask);
  llvm::Value *lanes_before(llvm::Type *type);
  llvm::Value *sum_of_lanes_before(llvm::Value *values);
  void make_shared_atomics_plain();

  // widen_calls.cpp
  void emit_call(llvm::CallBase &call);
  void emit_function_call(llvm::CallBase &call);
  bool emit_special_register(llvm::CallBase &call);
  void emit_nanosleep(llvm::CallBase &call);
  void emit_vector_intrinsic(llvm::CallBase &call, llvm::Intrinsic::ID id);

  // widen_meetings.cpp
  llvm::Value *agreed(llvm::Value *value);
  bool emit_engine_meeting(llvm::CallBase &call);
  bool emit_barrier(llvm::CallBase &call);
  bool check_members(llvm::CallBase &call, llvm::Value *members);

  // widen_warp_functions.cpp
  bool emit_warp_function(llvm::CallBase &call);
  void emit_shuffle(llvm::CallBase &call, unsigned mode, bool with_predicate);
  llvm::Value *permute(llvm::Value *source, llvm::Value *lanes);
  llvm::Value *from_lane(llvm::Value *source, llvm::Value *lane);
  llvm::Value *members_here(llvm::Value *members);
  void emit_election(llvm::CallBase &call);
  void emit_vote(llvm::CallBase &call);
  void emit_match(llvm::CallBase &call);
  void emit_redux(llvm::CallBase &call);

  llvm::Function &kernel_;
  llvm::Function &body_;
  LaneLayout layout_;
  bool full_, guarded_twice_ = false, little_code_ = false, one_row_ = false;
  llvm::LLVMContext &context_;
  const llvm::DataLayout &dl_;
  ShapeAnalysis shapes_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  StreamedStores streamed_;
  std::unique_ptr<LinearOrder> order_;
  std::unique_ptr<Meetings> meetings_;
  Callees callees_;
  llvm::IRBuilder<> builder_;
  std::string refusal_;

  llvm::BasicBlock *prologue_ = nullptr;
  llvm::Value *launch_ = nullptr, *block_ = nullptr, *warp_ = nullptr;
  llvm::Value *much_ = nullptr;              ///< BlockState::much
  llvm::AllocaInst *seldom_places_ = nullptr, *seldom_values_ = nullptr;  ///< tables of access_seldom()
  llvm::AllocaInst *writes_much_ = nullptr;  ///< i1: the launch writes more than the caches hold
  llvm::DenseMap<const llvm::Loop *, llvm::AllocaInst *> in_rounds_;  ///< i1: the warps do the loop's rounds in turn
  Values tid_[3];  ///< what define() takes for threadIdx.x, .y, .z
  llvm::DenseMap<llvm::Value *, Wide> arguments_;
  MapOfWays<llvm::Value *, Wide> local_;  ///< of the block being written
  llvm::DenseMap<llvm::Value *, Cells> cells_;
  llvm::DenseMap<llvm::PHINode *, Cells> phi_cells_;
  std::vector<llvm::AllocaInst *> mask_cells_;
  std::vector<llvm::BasicBlock *> entry_;          ///< where lanes that have parted go on; null: they never come here
  std::vector<llvm::BasicBlock *> body_block_[2];  ///< by form; null: not written
  llvm::SmallPtrSet<const llvm::Loop *, 4>
      ending_;                          ///< lanes that have parted end the turn that they are in, and leave
  std::vector<int> whole_mask_target_;  ///< index of the block that gets this block's whole mask, or -1
  std::vector<int> whole_mask_source_;  ///< the same, seen from the block that gets the mask
  Form form_ = Apart;                   ///< of the block being written
  llvm::DenseMap<const llvm::Loop *, std::vector<llvm::AllocaInst *>> loop_cells_;
  std::vector<RecordAccess> record_accesses_;                          ///< of the block being written
  llvm::DenseMap<llvm::Instruction *, const RecordAccess *> records_;  ///< by member
  llvm::SmallVector<llvm::Instruction *, 8> scalar_copies_;            ///< what runs for each lane, one after the other
  llvm::SmallVector<llvm::Instruction *, 8> plain_;                    ///< atomics that need not be
  llvm::Value *mask_ = nullptr;                                        ///< of the block being written
  unsigned index_ = 0;
  bool uses_barrier_ = false;
};

}  // namespace hel::cc
