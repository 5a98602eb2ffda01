// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading image containers (abi/image.h) inside the compiler.
#pragma once

#include "abi/image.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hel::cc {

/// A container in memory that somebody else owns.
class ContainerView {
public:
  /// Checks the header and that every entry lies inside.
  static Result<ContainerView> open(const void *bytes);
  const abi::ImageHeader &header() const { return *header_; }
  const void *bytes() const { return header_; }
  size_t size() const { return header_->total_bytes; }
  /// The first entry of a kind, decompressed; a failure when there is none.
  Result<std::vector<uint8_t>> read(abi::ImageKind kind) const;

  ContainerView() = default;

private:
  const abi::ImageEntry *entries() const;
  const abi::ImageHeader *header_ = nullptr;
};

}  // namespace hel::cc
