// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The content of libcudadevrt.a and its like: an archive must have a member.
extern "C" [[gnu::visibility("hidden")]] const char hel_nothing_to_link;
const char hel_nothing_to_link = 0;
