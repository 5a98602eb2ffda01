// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "basic".
#pragma once
void scale(int *device_values, int n);
