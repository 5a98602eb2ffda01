// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which stream a null stream handle means. Entry points with the suffix _ptsz or _ptds (programs built for a default
// stream per thread) open a scope; the driver, when it is given the null stream, asks here.
#pragma once

#include "base/thread_value.h"

namespace hel {

namespace detail {
inline HEL_THREAD_LOCAL constinit bool null_stream_is_per_thread = false;
}

/// True while this thread is inside an entry point for the per-thread default stream.
inline bool null_stream_is_per_thread() { return detail::null_stream_is_per_thread; }

class PerThreadDefaultStream {
public:
  PerThreadDefaultStream() : before_(detail::null_stream_is_per_thread) { detail::null_stream_is_per_thread = true; }
  ~PerThreadDefaultStream() { detail::null_stream_is_per_thread = before_; }
  PerThreadDefaultStream(const PerThreadDefaultStream &) = delete;
  PerThreadDefaultStream &operator=(const PerThreadDefaultStream &) = delete;

private:
  bool before_;
};

}  // namespace hel
