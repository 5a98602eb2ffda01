// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that move much memory: cut into pieces that several workers take.
#pragma once

#include "drivers/cpu/core/command.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hel::cpu {

/// What a copy of up to three dimensions does, in bytes. Pitches are distances between rows, slices between planes.
struct CopyPlan {
  const uint8_t *source = nullptr;
  uint8_t *target = nullptr;
  size_t width = 0, height = 1, depth = 1;
  size_t source_pitch = 0, source_slice = 0;
  size_t target_pitch = 0, target_slice = 0;
  bool pageable = false;  ///< the caller must wait: memory that the driver does not know is read or written

  size_t bytes() const { return width * height * depth; }
};

/// Fills rows with a pattern of 1, 2 or 4 bytes.
struct FillPlan {
  uint8_t *target = nullptr;
  size_t width = 0, height = 1;  ///< width in bytes
  size_t pitch = 0;
  uint32_t value = 0;
  unsigned value_bytes = 1;

  size_t bytes() const { return width * height; }
};

class BulkCommand : public Command {
public:
  /// Below this size one thread does everything.
  static constexpr size_t kSplitBytes = 2u << 20;

protected:
  BulkCommand(Context &context, size_t pieces) : Command(context), pieces_(pieces), unfinished_(pieces) {}
  virtual void run_piece(size_t index) = 0;
  Progress run() final;

private:
  /// True when this call finished the last piece.
  bool take_pieces();
  static void help(void *user);

  const size_t pieces_;
  std::atomic<size_t> claimed_{0};                   ///< may pass pieces_
  std::atomic<size_t> from_start_{0}, from_end_{0};  ///< of those that were claimed
  std::atomic<size_t> unfinished_;
};

/// In the calling thread.
void copy_now(const CopyPlan &plan);
void fill_now(const FillPlan &plan);
CommandRef make_copy(Context &context, const CopyPlan &plan);
CommandRef make_fill(Context &context, const FillPlan &plan);

}  // namespace hel::cpu
