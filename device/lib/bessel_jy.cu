// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bessel functions J0, J1, Y0, Y1. The C library loses all relative accuracy next to a zero of the function, so around each
// zero below 8 a polynomial in the distance from it takes over (Chebyshev interpolation in 300 bits).
#include "device/lib/lib.h"

namespace {

__constant__ const double kJ0a[] = {
    -0x1.09cdb36551280p-1, 0x1.4b9672f81ef6fp-4, 0x1.04d22b85eaf8fp-5, -0x1.debc080cc4cbfp-9, -0x1.6bfdd38b48bb7p-11,
    0x1.07245169473e7p-14, 0x1.05263b1f76329p-17, -0x1.36ef9c740c2e0p-21, -0x1.c834060348300p-25,
    0x1.cd4a45d9bee5ep-29, 0x1.0be3b703e090fp-32, -0x1.d6905e32e1b2fp-37, -0x1.c3d9545f67993p-41,
    0x1.5ea99f76468fap-45, 0x1.1ed27b5b927ddp-49, -0x1.8eb43cb78632ep-54, -0x1.1bec2995db4a2p-58,
    0x1.6552df2cd104fp-63, 0x1.bfad1e19ebbf0p-68, -0x1.0175e65d7afb9p-72,};
__constant__ const double kJ0b[] = {
    0x1.5c6e60a097823p-2, -0x1.7ab962dbe36a8p-6, -0x1.e857ae4aa25d9p-6, 0x1.0013fec99f92ep-9, 0x1.767b7463ba7b5p-11,
    -0x1.5cbc09ab40d8dp-15, -0x1.15d28d14b2353p-17, 0x1.ca9dd9852e513p-22, 0x1.eb98e6f21d178p-25,
    -0x1.6a6005c67f8bap-29, -0x1.21fbc9ffac3bbp-32, 0x1.8134e589a1b32p-37, 0x1.e98a02580ad39p-41,
    -0x1.276caf0f42a5bp-45, -0x1.367e447041adep-49, 0x1.570c6e608889ep-54, 0x1.32de0016c4c3ep-58,
    -0x1.3869781cb2756p-63, -0x1.e2f00ca16505dp-68, 0x1.c7ddcd15dae79p-73,};
__constant__ const double kJ1a[] = {
    -0x1.9c6cf582cbf7fp-2, 0x1.42e7ab77d41c3p-5, 0x1.ec3b0c1556025p-6, -0x1.1e6af204b2105p-9, -0x1.7272ddc214abfp-11,
    0x1.5bb24f0618dc8p-15, 0x1.13f4f6723794dp-17, -0x1.b343e59b27271p-22, -0x1.ec9200cf8c57dp-25,
    0x1.4f3578ec34e9cp-29, 0x1.2533c8d93cd6dp-32, -0x1.5f06bc21d07a8p-37, -0x1.f319ed7dca568p-41,
    0x1.0aad1b3953582p-45, 0x1.3ee3553a07526p-49, -0x1.33b7aa5600eb3p-54, -0x1.3d303abb16f1bp-58,
    0x1.1701e23587e87p-63, 0x1.f5f6199155a98p-68, -0x1.95d79c0fa7027p-73,};
__constant__ const double kJ1b[] = {
    0x1.33518b3874e8ap-2, -0x1.06d4a54828a0fp-6, -0x1.b0e1435acc266p-6, 0x1.5a2f6abf04388p-10, 0x1.5d4aa8eb988a5p-11,
    -0x1.f3afa74a3a72dp-16, -0x1.0cb009e1b34bep-17, 0x1.583640e9269b3p-22, 0x1.e7314678ebd22p-25,
    -0x1.1973259a6ad8cp-29, -0x1.2447a542ffcc6p-32, 0x1.32ea0da9262f9p-37, 0x1.f3675a2277b23p-41,
    -0x1.e007d4b46f26ap-46, -0x1.3f93de8c27cccp-49, 0x1.1aff687ff72a5p-54, 0x1.3dfa604dce80ep-58,
    -0x1.04e589f458487p-63, -0x1.f707346a64755p-68, 0x1.807f96f34afc6p-73,};
__constant__ const double kY0a[] = {
    0x1.c24371844b88ap-1, -0x1.c57ffc72f4c1cp-3, 0x1.6ddee4a131154p-5, -0x1.5199109646750p-6, 0x1.26330d8363386p-7,
    -0x1.ef868f9330515p-9, 0x1.ad8e8a63e1081p-10, -0x1.7bf7ea3ea3f68p-11, 0x1.54f5ad5bce0c3p-12,
    -0x1.358b24d5405d6p-13, 0x1.1bbbab43bfaddp-14, -0x1.062a7dfcbdab5p-15, 0x1.e7c777bc3fa7fp-17,
    -0x1.c86771e07e18cp-18, 0x1.ad05fc2930b67p-19, -0x1.95366987aa33ep-20, 0x1.8237aedc50597p-21,
    -0x1.6f818f4cd2c9cp-22, 0x1.4dd0d83e2a183p-23, -0x1.3f1c799bb20bep-24, 0x1.989ffacf6123ap-25,
    -0x1.8a72a9078b689p-26, -0x1.fc54dbef7358ap-30, 0x1.0925905826445p-30, 0x1.3e34d6dca9896p-27,
    -0x1.36c69ee76f4edp-28, -0x1.6cda1f82a568ap-29, 0x1.6592f039e1e40p-30, 0x1.b9cc2f15f16d6p-31,
    -0x1.afef62b92b4e9p-32,};
__constant__ const double kY0b[] = {
    -0x1.9c34256a12a0cp-2, 0x1.38756dec28df3p-5, 0x1.0dad827b9d84ap-5, -0x1.7aeb661eb847fp-9, -0x1.6a383653f2afep-11,
    0x1.84b6d64f43f60p-15, 0x1.301c29ba610e4p-17, -0x1.5ead31c1b00f5p-21, -0x1.f8c7331761e08p-26,
    -0x1.c3090b6809550p-30, 0x1.24fe91c59fb72p-30, -0x1.539f42001a274p-33, 0x1.ab615453e4bc1p-36,
    -0x1.372a1d210401dp-38, 0x1.c002cba0ee15cp-41, -0x1.3f56dbd09c9f6p-43, 0x1.c32f52c0e3118p-46,
    -0x1.4424d61cc4f45p-48, 0x1.170ddae50f62fp-50, -0x1.93304a71a046cp-53,};
__constant__ const double kY0c[] = {
    0x1.334cca0697a5bp-2, -0x1.043388d7d3a01p-6, -0x1.ba96ff16572ddp-6, 0x1.6efb96edfd993p-10, 0x1.68f83a19552d7p-11,
    -0x1.17e4331b03618p-15, -0x1.126b9ac60e044p-17, 0x1.832dd29e6bb18p-22, 0x1.ee6c4ac30424fp-25,
    -0x1.3fbf9eea09864p-29, -0x1.2413f2de86e2fp-32, 0x1.5638b96d89b39p-37, 0x1.f817433139015p-41,
    -0x1.18c07f67af6b2p-45, -0x1.2b504c8148530p-49, 0x1.06e79b9d3418dp-54, 0x1.9130eec2e2a7cp-58,
    -0x1.2052a519dec1dp-62, 0x1.dd8a50b51ab56p-68, -0x1.53880862f5e02p-70,};
__constant__ const double kY1a[] = {
    0x1.0aa48442f014bp-1, -0x1.6c13a1991cab5p-4, -0x1.2ed05386587e5p-6, -0x1.094cbf4e8aa3ep-9, 0x1.33d4007250863p-9,
    -0x1.42e3bc29adb55p-11, 0x1.8e336443daee9p-13, -0x1.1d4fbe90bbb0ap-14, 0x1.8c2bc604da77ep-16,
    -0x1.0f7e85c0f8207p-17, 0x1.7433bbed13a3cp-19, -0x1.fdfb989066d77p-21, 0x1.5d15ef1b409b9p-22,
    -0x1.dda606c5f6668p-24, 0x1.46dba77e3e18bp-25, -0x1.beea409c9ef98p-27, 0x1.2eca87bfb3422p-28,
    -0x1.9dd58a99a0369p-30, 0x1.3119bfe7dc33dp-31, -0x1.a0dd48b6f6581p-33, 0x1.4c720e558c46dp-35,
    -0x1.c639714f15e40p-37, 0x1.0231eb612ebc5p-36, -0x1.60a8e4e6d7242p-38,};
__constant__ const double kY1b[] = {
    -0x1.5c7c556f0c19ap-2, 0x1.8116f482aaf2ep-6, 0x1.d589453be05ebp-6, -0x1.cc1356aea7cb6p-10, -0x1.67502dedd126ep-11,
    0x1.23df2bac9101ap-15, 0x1.157322779173bp-17, -0x1.9a783083f5a85p-22, -0x1.d5eb906a7fd89p-25,
    0x1.0733af0c31ad8p-29, 0x1.5a9d94bcccf26p-32, -0x1.1e79c7fea4048p-36, 0x1.44c357782a4c2p-44,
    -0x1.dacef013203fdp-44, 0x1.77c7aa2123c87p-46, -0x1.7f3ebefdce691p-49, 0x1.9901110106bfbp-52,
    -0x1.cac7115915a4bp-55, 0x1.1a9546e63282ap-57, -0x1.39388bd8a0106p-60,};

/// (x - zero) P(x - zero), where zero = hi + lo and the polynomial's variable is scaled to [-1, 1].
template <int N> __device__ double near_zero(const double (&c)[N], double x, double hi, double lo, double reach) {
  double distance = (x - hi) - lo;
  double u = distance / reach;
  double s = c[N - 1];
  for (int i = N - 2; i >= 0; --i) {
    s = __builtin_fma(s, u, c[i]);
  }
  return s * distance;
}

}  // namespace

#define FROM_LIBM(fn)                                  \
  HL_PURE double libm_##fn(double) HL_LIBM(#fn);       \
  HL_PURE float libm_##fn##f(float) HL_LIBM(#fn "f");  \
  HL_API float __hl_##fn##f(float x) { return libm_##fn##f(x); }
FROM_LIBM(j0) FROM_LIBM(j1) FROM_LIBM(y0) FROM_LIBM(y1)

HL_API double __hl_j0(double x) {
  double a = __builtin_fabs(x);
  if (__builtin_fabs(a - 0x1.33d152e971b40p+1) < 0.75) {
    return near_zero(kJ0a, a, 0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53, 0.75);
  }
  if (__builtin_fabs(a - 0x1.6148f5b2c2e45p+2) < 0.75) {
    return near_zero(kJ0b, a, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54, 0.75);
  }
  return libm_j0(x);
}
HL_API double __hl_j1(double x) {
  double a = __builtin_fabs(x);
  if (__builtin_fabs(a - 0x1.ea75575af6f09p+1) < 0.75) {
    return (x < 0 ? -near_zero(kJ1a, a, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53, 0.75) : near_zero(kJ1a, a, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53, 0.75));
  }
  if (__builtin_fabs(a - 0x1.c0ff5f3b47250p+2) < 0.75) {
    return (x < 0 ? -near_zero(kJ1b, a, 0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54, 0.75) : near_zero(kJ1b, a, 0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54, 0.75));
  }
  return libm_j1(x);
}
HL_API double __hl_y0(double x) {
  double a = x;
  if (__builtin_fabs(a - 0x1.c982eb8d417eap-1) < 0.45) {
    return near_zero(kY0a, a, 0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56, 0.45);
  }
  if (__builtin_fabs(a - 0x1.fa9534d98569cp+1) < 0.75) {
    return near_zero(kY0b, a, 0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54, 0.75);
  }
  if (__builtin_fabs(a - 0x1.c581dc4e72103p+2) < 0.75) {
    return near_zero(kY0c, a, 0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54, 0.75);
  }
  return libm_y0(x);
}
HL_API double __hl_y1(double x) {
  double a = x;
  if (__builtin_fabs(a - 0x1.193bed4dff243p+1) < 0.75) {
    return near_zero(kY1a, a, 0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55, 0.75);
  }
  if (__builtin_fabs(a - 0x1.5b7fe4e87b02ep+2) < 0.75) {
    return near_zero(kY1b, a, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52, 0.75);
  }
  return libm_y1(x);
}

