// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that does nothing: for tests of the command line.
int main() { return 0; }
