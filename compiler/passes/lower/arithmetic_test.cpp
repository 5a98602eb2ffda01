// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of NVVM's intrinsics as lowered, run in this process and compared with what the C library's rounding
// modes and plain code give.
#include "compiler/codegen/target.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/lower_math.h"
#include "compiler/passes/structure/provide_small_floats.h"
#include "compiler/passes/structure/retarget.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/SourceMgr.h"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace hel::cc {
namespace {

/// Compiles one call of an intrinsic into a function of this process.
class Code {
public:
  /// `signature`: "float (float, float)"; `name` without llvm.nvvm.
  Code(const std::string &name, const std::string &result, const std::vector<std::string> &types) {
    std::string declared, defined, passed;
    for (size_t i = 0; i < types.size(); ++i) {
      std::string comma = i ? ", " : "", argument = "%a" + std::to_string(i);
      declared += comma + types[i];
      defined += comma + types[i] + " " + argument;
      passed += comma + types[i] + " " + argument;
    }
    std::string text = "declare " + result + " @llvm.nvvm." + name + "(" + declared + ")\ndefine " + result + " @f(" +
                       defined + ") {\n  %r = call " + result + " @llvm.nvvm." + name + "(" + passed + ")\n  ret " +
                       result + " %r\n}\n";
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, *context);
    HEL_ENSURE(module, "%s: %s", problem.getMessage().str().c_str(), text.c_str());
    std::unique_ptr<llvm::TargetMachine> target = make_target_machine({"x86-64-v3", ""}, options_).take();
    Compilation compilation{options_, *target, Diagnostics(options_)};
    for (StageFunction stage : {lower_math, retarget, provide_small_floats}) {
      HEL_ENSURE(stage(*module, compilation), "stage failed");
    }
    HEL_ENSURE(!module->getFunction("llvm.nvvm." + name), "%s is not lowered", name.c_str());
    jit_ = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    llvm::cantFail(jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
    address_ = llvm::cantFail(jit_->lookup("f")).getValue();
  }
  template <typename R, typename... A> R call(A... arguments) const {
    return reinterpret_cast<R (*)(A...)>(address_)(arguments...);
  }

private:
  CompileOptions options_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  uint64_t address_ = 0;
};

constexpr const char *kModes[] = {"rn", "rz", "rm", "rp"};
constexpr int kCModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

template <typename T> std::string ir_name() { return sizeof(T) == 4 ? "float" : "double"; }
template <typename T> std::string suffix() { return sizeof(T) == 4 ? "f" : "d"; }

template <typename T> bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}

/// Ordinary and extreme values.
template <typename T> std::vector<T> samples() {
  std::mt19937_64 random(1);
  std::vector<T> values = {0, T(-0.0), 1, -1, T(1.5), std::numeric_limits<T>::min(), std::numeric_limits<T>::denorm_min(),
                           std::numeric_limits<T>::max(), std::numeric_limits<T>::infinity(), T(1e-10), 3, 10};
  for (int i = 0; i < 60; ++i) {
    T value = std::ldexp(T(random() % 100000000) / T(99999989), int(random() % 40) - 20);
    values.push_back(random() & 1 ? value : -value);
  }
  return values;
}

template <typename T, typename Reference> void check_binary(const char *op, Reference reference) {
  for (int mode = 0; mode < 4; ++mode) {
    Code code(std::string(op) + "." + kModes[mode] + "." + suffix<T>(), ir_name<T>(), {ir_name<T>(), ir_name<T>()});
    for (T a : samples<T>()) {
      for (T b : samples<T>()) {
        T got = code.call<T>(a, b);
        ASSERT_EQ(std::fegetround(), FE_TONEAREST);
        volatile T x = a, y = b;
        std::fesetround(kCModes[mode]);
        volatile T want = reference(x, y);
        std::fesetround(FE_TONEAREST);
        ASSERT_TRUE(same_bits<T>(got, want)) << op << " " << kModes[mode] << " " << a << " " << b << ": " << got << ", not " << want;
      }
    }
  }
}

TEST(Arithmetic, AddMulDiv) {
  check_binary<float>("add", [](volatile float &a, volatile float &b) { return a + b; });
  check_binary<double>("add", [](volatile double &a, volatile double &b) { return a + b; });
  check_binary<float>("mul", [](volatile float &a, volatile float &b) { return a * b; });
  check_binary<double>("mul", [](volatile double &a, volatile double &b) { return a * b; });
  check_binary<float>("div", [](volatile float &a, volatile float &b) { return a / b; });
  check_binary<double>("div", [](volatile double &a, volatile double &b) { return a / b; });
}

TEST(Arithmetic, FmaAndSqrt) {
  for (int mode = 0; mode < 4; ++mode) {
    Code fma(std::string("fma.") + kModes[mode] + ".f", "float", {"float", "float", "float"});
    Code root(std::string("sqrt.") + kModes[mode] + ".d", "double", {"double"});
    std::vector<float> values = samples<float>();
    for (size_t i = 0; i + 2 < values.size(); ++i) {
      volatile float a = values[i], b = values[i + 1], c = values[i + 2];
      volatile double d = std::fabs(values[i]);
      float got = fma.call<float>(float(a), float(b), float(c));
      double got_root = root.call<double>(double(d));
      std::fesetround(kCModes[mode]);
      volatile float want = std::fma(float(a), float(b), float(c));
      volatile double want_root = std::sqrt(double(d));
      std::fesetround(FE_TONEAREST);
      EXPECT_TRUE(same_bits<float>(got, want)) << a << " " << b << " " << c << " " << kModes[mode];
      EXPECT_TRUE(same_bits<double>(got_root, want_root)) << d << " " << kModes[mode];
    }
  }
}

TEST(Arithmetic, IntegersToFloats) {
  std::mt19937_64 random(2);
  for (int mode = 0; mode < 4; ++mode) {
    Code i2f(std::string("i2f.") + kModes[mode], "float", {"i32"});
    Code ull2d(std::string("ull2d.") + kModes[mode], "double", {"i64"});
    Code ll2f(std::string("ll2f.") + kModes[mode], "float", {"i64"});
    std::vector<int64_t> values = {0, 1, -1, 16777217, -16777217, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    for (int i = 0; i < 200; ++i) {
      values.push_back(int64_t(random()) >> (random() % 60));
    }
    for (int64_t value : values) {
      volatile int64_t v = value;
      float got_i = i2f.call<float>(int32_t(value)), got_l = ll2f.call<float>(value);
      double got_u = ull2d.call<double>(uint64_t(value));
      std::fesetround(kCModes[mode]);
      // Through long double every value is exact, so that one rounding remains.
      volatile float want_i = static_cast<float>(static_cast<long double>(int32_t(v)));
      volatile float want_l = static_cast<float>(static_cast<long double>(int64_t(v)));
      volatile double want_u = static_cast<double>(static_cast<long double>(uint64_t(v)));
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(got_i, want_i) << value << " " << kModes[mode];
      EXPECT_EQ(got_l, want_l) << value << " " << kModes[mode];
      EXPECT_EQ(got_u, want_u) << value << " " << kModes[mode];
    }
  }
}

TEST(Arithmetic, FloatsToIntegers) {
  Code rn("f2i.rn", "i32", {"float"}), rz("f2i.rz", "i32", {"float"}), rm("d2ll.rm", "i64", {"double"});
  EXPECT_EQ(rn.call<int32_t>(2.5f), 2);
  EXPECT_EQ(rn.call<int32_t>(3.5f), 4);
  EXPECT_EQ(rz.call<int32_t>(-2.7f), -2);
  EXPECT_EQ(rz.call<int32_t>(1e20f), INT32_MAX);
  EXPECT_EQ(rz.call<int32_t>(NAN), 0);
  EXPECT_EQ(rm.call<int64_t>(-2.1), -3);
  EXPECT_EQ(rm.call<int64_t>(double(NAN)), INT64_MIN);
}

TEST(Arithmetic, MinMaxAndSigns) {
  Code least("fmin.f", "float", {"float", "float"}), nan("fmax.nan.f", "float", {"float", "float"});
  Code sign("fmin.xorsign.abs.f", "float", {"float", "float"});
  EXPECT_EQ(least.call<float>(1.f, float(NAN)), 1.f);
  EXPECT_TRUE(std::signbit(least.call<float>(0.f, -0.f)));
  EXPECT_TRUE(std::isnan(nan.call<float>(1.f, float(NAN))));
  EXPECT_EQ(sign.call<float>(-3.f, 2.f), -2.f);
}

TEST(Arithmetic, FlushAndSaturate) {
  Code ftz("mul.rn.ftz.f", "float", {"float", "float"}), sat("saturate.f", "float", {"float"});
  EXPECT_EQ(ftz.call<float>(1e-39f, 1e38f), 0.f);
  EXPECT_EQ(ftz.call<float>(1e-30f, 1e-10f), 0.f);
  EXPECT_EQ(ftz.call<float>(2.f, 3.f), 6.f);
  EXPECT_EQ(sat.call<float>(float(NAN)), 0.f);
  EXPECT_EQ(sat.call<float>(7.f), 1.f);
  EXPECT_EQ(sat.call<float>(0.25f), 0.25f);
}

uint32_t permute(uint32_t a, uint32_t b, uint32_t control) {
  uint64_t bytes = (uint64_t(b) << 32) | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t selector = control >> (4 * i);
    uint8_t byte = uint8_t(bytes >> (8 * (selector & 7)));
    byte = selector & 8 ? uint8_t(int8_t(byte) >> 7) : byte;
    result |= uint32_t(byte) << (8 * i);
  }
  return result;
}

TEST(Arithmetic, Integers) {
  std::mt19937 random(3);
  Code prmt("prmt", "i32", {"i32", "i32", "i32"}), mulhi("mulhi.ull", "i64", {"i64", "i64"});
  Code sad("sad.i", "i32", {"i32", "i32", "i32"}), dp4a("idp4a.s.u", "i32", {"i32", "i32", "i32"});
  Code shl("fshl.clamp", "i32", {"i32", "i32", "i32"}), shr("fshr.clamp", "i32", {"i32", "i32", "i32"});
  Code mul24("mul24.i", "i32", {"i32", "i32"});
  for (int i = 0; i < 1000; ++i) {
    uint32_t a = random(), b = random(), c = random();
    EXPECT_EQ(prmt.call<uint32_t>(a, b, c), permute(a, b, c));
    uint64_t wide = (uint64_t(a) << 32) | b;
    EXPECT_EQ(mulhi.call<uint64_t>(wide, uint64_t(c) << 20), uint64_t((unsigned __int128)(wide) * (uint64_t(c) << 20) >> 64));
    int64_t distance = int64_t(int32_t(a)) - int32_t(b);
    EXPECT_EQ(sad.call<uint32_t>(a, b, c), uint32_t(distance < 0 ? -distance : distance) + c);
    uint32_t n = c % 40, limited = n > 32 ? 32 : n;
    EXPECT_EQ(shl.call<uint32_t>(a, b, n), uint32_t((unsigned __int128)(wide) << limited >> 32));
    EXPECT_EQ(shr.call<uint32_t>(a, b, n), uint32_t(wide >> limited));
    int32_t sum = int32_t(c);
    for (int k = 0; k < 4; ++k) {
      sum = int32_t(uint32_t(sum) + uint32_t(int8_t(a >> (8 * k)) * int32_t(uint8_t(b >> (8 * k)))));
    }
    EXPECT_EQ(dp4a.call<int32_t>(a, b, c), sum);
    EXPECT_EQ(mul24.call<int32_t>(a, b), int32_t(uint32_t(int64_t(int32_t(a << 8) >> 8) * (int32_t(b << 8) >> 8))));
  }
}

/// bfloat rounding as the image's own functions do it, against rounding to nearest by hand.
TEST(Arithmetic, Bfloat) {
  Code narrow("f2bf16.rn", "bfloat", {"float"});
  for (float value : samples<float>()) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    uint32_t want = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    __bf16 rounded = narrow.call<__bf16>(value);
    uint16_t got;
    std::memcpy(&got, &rounded, 2);
    EXPECT_EQ(got, want) << value;
  }
}

}  // namespace
}  // namespace hel::cc
