// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The content of libcudadevrt.a: an archive must have a member.
extern "C" [[gnu::visibility("hidden")]] const char hel_cudadevrt_is_empty;
const char hel_cudadevrt_is_empty = 0;
