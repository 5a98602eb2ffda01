// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failing check must fail the program and say where and what; a passing one must not.
// RUN: clang++-22 -std=c++17 -I%source/tests/support %s -o %t
// RUN: %run %t
// RUN: not %run %t fail 2>&1 | %FileCheck %s
#include "check.h"

enum Fake { FakeOk, FakeBad };
static const char *cudaGetErrorName(Fake e) { return e == FakeOk ? "FakeOk" : "FakeBad"; }
static Fake work(bool ok) { return ok ? FakeOk : FakeBad; }

int main(int argc, char **) {
  int three = 3;
  bool ok = argc == 1;
  // CHECK: check_fails.cpp:[[@LINE+1]]: check failed: three is 3, not ok ? 3 : 4 = 4
  CHECK_EQ(three, ok ? 3 : 4);
  // CHECK: check failed: 0.1 + 0.2 is 0.3{{[0-9]*}}, not within
  CHECK_NEAR(0.1 + 0.2, ok ? 0.3 : 0.4, 1e-12);
  // CHECK: check failed: work(ok) returned FakeBad (1), not FakeOk (0)
  CHECK_ERROR(work(ok), FakeOk);
  // CHECK: check failed: ok
  CHECK(ok);
  // CHECK: 4 checks failed
  return check_report();
}
