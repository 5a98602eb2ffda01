// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX of an image container.
#pragma once

#include "base/result.h"

#include <cstddef>

namespace hel::nvidia {

/// Code as the vendor's driver takes it: the program's own bytes, or PTX unpacked from a container.
class Code {
public:
  /// Fails with CUDA_ERROR_NO_BINARY_FOR_GPU when a container has no PTX, and with CUDA_ERROR_INVALID_IMAGE when it is
  /// damaged or longer than the `known` bytes (0: not known). Anything else than a container is left as it is.
  static Result<Code> of(const void *image, size_t known = 0);
  const void *data() const { return text_.empty() ? image_ : text_.c_str(); }
  bool is_unpacked() const { return !text_.empty(); }
  /// With the 0 at the end.
  size_t bytes() const { return text_.size() + 1; }

private:
  const void *image_ = nullptr;
  std::string text_;
};

}  // namespace hel::nvidia
