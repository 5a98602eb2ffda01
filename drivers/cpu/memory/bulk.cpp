// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/bulk.h"

#include "base/cache_size.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/exec/worker_pool.h"
#include "drivers/cpu/memory/streaming.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace hel::cpu {
namespace {

constexpr size_t kPieceBytes = 1u << 20;
constexpr size_t kLargestPiece = 16u << 20;

/// Where the pieces of one row end. They are long at both ends, because memory is fastest when it is read in order, and
/// get shorter towards the middle, so that those who come from both sides end together.
std::vector<size_t> ends_of_pieces(size_t bytes) {
  const auto workers = static_cast<size_t>(exec::WorkerPool::instance().worker_count());
  std::vector<size_t> ends, of_last;
  for (size_t first = 0, last = bytes; first < last;) {
    const size_t share = (last - first) / (2 * workers) / kPieceBytes * kPieceBytes;
    const size_t piece = std::clamp(share, kPieceBytes, kLargestPiece);
    first = std::min(last, first + piece);
    ends.push_back(first);
    if (first < last) {
      of_last.push_back(last);
      last -= std::min(piece, last - first);
    }
  }
  ends.insert(ends.end(), of_last.rbegin(), of_last.rend());
  return ends;
}

/// Rows in one piece, so that a piece has about kPieceBytes.
size_t rows_in_piece(size_t width) { return std::max<size_t>(1, kPieceBytes / std::max<size_t>(width, 1)); }

void copy_rows(const CopyPlan &plan, size_t first, size_t last) {
  for (size_t row = first; row < last; row++) {
    size_t z = row / plan.height, y = row % plan.height;
    std::memmove(plan.target + z * plan.target_slice + y * plan.target_pitch,
                 plan.source + z * plan.source_slice + y * plan.source_pitch, plan.width);
  }
}

class CopyCommand : public BulkCommand {
public:
  CopyCommand(Context &context, const CopyPlan &plan) : CopyCommand(context, plan, ends_of(plan)) {}
  const char *name() const override { return "copy"; }

private:
  CopyCommand(Context &context, const CopyPlan &plan, std::vector<size_t> ends)
      : BulkCommand(context, ends.size()),
        plan_(plan),
        ends_(std::move(ends)),
        streams_(plan.bytes() >= last_cache_bytes()) {}

  static bool one_row(const CopyPlan &plan) { return plan.height * plan.depth == 1; }
  /// Of bytes if the copy is one row, else of rows.
  static std::vector<size_t> ends_of(const CopyPlan &plan) {
    const size_t rows = plan.height * plan.depth;
    if (plan.bytes() < kSplitBytes) {
      return {one_row(plan) ? plan.width : rows};
    }
    if (one_row(plan)) {
      return ends_of_pieces(plan.width);
    }
    std::vector<size_t> ends;
    for (size_t at = 0; at < rows; ends.push_back(at)) {
      at = std::min(rows, at + rows_in_piece(plan.width));
    }
    return ends;
  }

  void run_piece(size_t index) override {
    const size_t first = index == 0 ? 0 : ends_[index - 1], last = ends_[index];
    if (!one_row(plan_)) {
      copy_rows(plan_, first, last);
    } else if (streams_) {
      stream_copy(plan_.target + first, plan_.source + first, last - first);
    } else {
      std::memmove(plan_.target + first, plan_.source + first, last - first);
    }
  }

  const CopyPlan plan_;
  const std::vector<size_t> ends_;
  const bool streams_;
};

void fill_row(uint8_t *target, size_t bytes, uint32_t value, unsigned value_bytes) {
  if (value_bytes == 1) {
    std::memset(target, static_cast<int>(value), bytes);
  } else if (value_bytes == 2) {
    std::fill_n(reinterpret_cast<uint16_t *>(target), bytes / 2, static_cast<uint16_t>(value));
  } else {
    std::fill_n(reinterpret_cast<uint32_t *>(target), bytes / 4, value);
  }
}

void fill_rows(const FillPlan &plan, size_t first, size_t last) {
  for (size_t row = first; row < last; row++) {
    fill_row(plan.target + row * plan.pitch, plan.width, plan.value, plan.value_bytes);
  }
}

class FillCommand : public BulkCommand {
public:
  FillCommand(Context &context, const FillPlan &plan) : BulkCommand(context, pieces_of(plan)), plan_(plan) {}
  const char *name() const override { return "fill"; }

private:
  static size_t pieces_of(const FillPlan &plan) {
    if (plan.bytes() < kSplitBytes) {
      return 1;
    }
    return plan.height == 1 ? (plan.width + kPieceBytes - 1) / kPieceBytes
                            : (plan.height + rows_in_piece(plan.width) - 1) / rows_in_piece(plan.width);
  }

  void run_piece(size_t index) override {
    if (plan_.bytes() < kSplitBytes) {
      fill_rows(plan_, 0, plan_.height);
    } else if (plan_.height == 1) {
      size_t at = index * kPieceBytes;
      fill_row(plan_.target + at, std::min(kPieceBytes, plan_.width - at), plan_.value, plan_.value_bytes);
    } else {
      size_t step = rows_in_piece(plan_.width);
      fill_rows(plan_, index * step, std::min(plan_.height, (index + 1) * step));
    }
  }

  const FillPlan plan_;
};

}  // namespace

bool BulkCommand::take_pieces() {
  const bool at_end = exec::WorkerPool::instance().begins_at_end();
  size_t done = 0;
  for (; claimed_.fetch_add(1, std::memory_order_relaxed) < pieces_; done++) {
    run_piece(at_end ? pieces_ - 1 - from_end_.fetch_add(1, std::memory_order_relaxed)
                     : from_start_.fetch_add(1, std::memory_order_relaxed));
  }
  return done != 0 && unfinished_.fetch_sub(done, std::memory_order_acq_rel) == done;
}

void BulkCommand::help(void *user) {
  CommandRef self = CommandRef::adopt(static_cast<Command *>(user));
  auto &bulk = static_cast<BulkCommand &>(*self);
  if (bulk.take_pieces()) {
    bulk.complete();
  }
}

Command::Progress BulkCommand::run() {
  exec::WorkerPool &pool = exec::WorkerPool::instance();
  const size_t helpers = std::min<size_t>(pieces_, static_cast<size_t>(pool.worker_count())) - 1;
  for (size_t i = 0; i < helpers; i++) {
    exec::Task task{};
    task.run = help;
    task.owner = owner();
    task.user = CommandRef(*this).leak();
    pool.submit(task);
  }
  return take_pieces() ? Progress::Done : Progress::Later;
}

void copy_now(const CopyPlan &plan) { copy_rows(plan, 0, plan.height * plan.depth); }

void fill_now(const FillPlan &plan) { fill_rows(plan, 0, plan.height); }

CommandRef make_copy(Context &context, const CopyPlan &plan) {
  return CommandRef::adopt(new CopyCommand(context, plan));
}

CommandRef make_fill(Context &context, const FillPlan &plan) {
  return CommandRef::adopt(new FillCommand(context, plan));
}

}  // namespace hel::cpu
