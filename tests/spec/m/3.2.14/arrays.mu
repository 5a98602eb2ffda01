// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and channel descriptions: 1, 2 and 4 components of 8, 16 and 32 bits, half and float.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: M-3.2.14-03
#include <musa_fp16.h>
#include <musa_runtime.h>
#include <string.h>

#include "check.h"

template <typename T> void there_and_back(musaChannelFormatDesc desc, int bits, musaChannelFormatKind kind) {
  CHECK_EQ(desc.x, bits);
  CHECK_EQ(desc.f, kind);
  CHECK_EQ((size_t)(desc.x + desc.y + desc.z + desc.w), sizeof(T) * 8);
  const int width = 33, height = 5;
  musaArray_t array = nullptr;
  CHECK_MUSA(musaMallocArray(&array, &desc, width, height));
  musaChannelFormatDesc same;
  CHECK_MUSA(musaGetChannelDesc(&same, array));
  CHECK(same.x == desc.x && same.y == desc.y && same.z == desc.z && same.w == desc.w && same.f == desc.f);
  unsigned char in[height * width * sizeof(T)], out[sizeof in];
  for (size_t i = 0; i < sizeof in; i++) {
    in[i] = (unsigned char)(i * 7 + 3);
  }
  const size_t row = width * sizeof(T);
  memset(out, 0, sizeof out);
  CHECK_MUSA(musaMemcpy2DToArray(array, 0, 0, in, row, row, height, musaMemcpyHostToDevice));
  CHECK_MUSA(musaMemcpy2DFromArray(out, row, array, 0, 0, row, height, musaMemcpyDeviceToHost));
  CHECK(memcmp(in, out, sizeof in) == 0);
  CHECK_MUSA(musaFreeArray(array));
}
template <typename T> void typed(int bits, musaChannelFormatKind kind) {
  there_and_back<T>(musaCreateChannelDesc<T>(), bits, kind);
}

int main() {
  typed<unsigned char>(8, musaChannelFormatKindUnsigned);
  typed<uchar2>(8, musaChannelFormatKindUnsigned);
  typed<uchar4>(8, musaChannelFormatKindUnsigned);
  typed<short>(16, musaChannelFormatKindSigned);
  typed<ushort2>(16, musaChannelFormatKindUnsigned);
  typed<short4>(16, musaChannelFormatKindSigned);
  typed<int>(32, musaChannelFormatKindSigned);
  typed<uint2>(32, musaChannelFormatKindUnsigned);
  typed<int4>(32, musaChannelFormatKindSigned);
  typed<float>(32, musaChannelFormatKindFloat);
  typed<float2>(32, musaChannelFormatKindFloat);
  typed<float4>(32, musaChannelFormatKindFloat);
  there_and_back<float>(musaCreateChannelDesc(32, 0, 0, 0, musaChannelFormatKindFloat), 32,
                        musaChannelFormatKindFloat);
  there_and_back<unsigned short>(musaCreateChannelDescHalf(), 16, musaChannelFormatKindFloat);

  // What no array can hold.
  musaArray_t array = nullptr;
  for (musaChannelFormatDesc bad : {musaCreateChannelDesc(32, 32, 32, 0, musaChannelFormatKindFloat),
                                    musaCreateChannelDesc(8, 16, 0, 0, musaChannelFormatKindUnsigned),
                                    musaCreateChannelDesc(24, 0, 0, 0, musaChannelFormatKindSigned)}) {
    CHECK(musaMallocArray(&array, &bad, 8, 8) != musaSuccess);
  }
  return check_report();
}
