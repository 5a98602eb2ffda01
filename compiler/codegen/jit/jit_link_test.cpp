// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device link at run time: definitions meet, conflicts are errors, results come from the cache.
#include "abi/jit.h"

#include "compiler/codegen/jit/disk_cache.h"
#include "compiler/compile.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdlib>
#include <gtest/gtest.h>

extern "C" int hel_jit_link(const void *const *containers, size_t count, const char *options, void **out,
                            size_t *out_bytes, char **error);

namespace hel::cc {
namespace {

constexpr char kTriple[] = "target triple = \"nvptx64-nvidia-cuda\"\n";

std::vector<uint8_t> relocatable(const std::string &source) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::string text = kTriple + source;
  std::unique_ptr<llvm::Module> module = llvm::parseIR(llvm::MemoryBufferRef(text, "test"), problem, context);
  CompileOptions options;
  options.relocatable = true;
  return compile_device(std::move(module), options).take();
}

struct Linked {
  int code = 0;
  size_t bytes = 0;
  std::string error;
};

Linked link(const std::vector<std::vector<uint8_t>> &containers, const char *options = "-cpu=x86-64-v2 -O2") {
  std::vector<const void *> pointers;
  for (const std::vector<uint8_t> &container : containers) {
    pointers.push_back(container.data());
  }
  Linked result;
  void *out = nullptr;
  char *error = nullptr;
  result.code = hel_jit_link(pointers.data(), pointers.size(), options, &out, &result.bytes, &error);
  result.error = error ? error : "";
  std::free(out);
  std::free(error);
  return result;
}

class JitLink : public testing::Test {
protected:
  std::vector<uint8_t> user = relocatable("declare i32 @f(i32)\n"
                                          "define ptx_kernel void @k(ptr %p) {\n"
                                          "  %r = call i32 @f(i32 1)\n  store i32 %r, ptr %p\n  ret void\n}\n");
  std::vector<uint8_t> definition = relocatable("define i32 @f(i32 %x) {\n  %r = add i32 %x, 1\n  ret i32 %r\n}\n");
};

TEST_F(JitLink, DefinitionsMeet) {
  Linked linked = link({user, definition});
  EXPECT_EQ(linked.code, 0) << linked.error;
  EXPECT_GT(linked.bytes, 1000u);
}

TEST_F(JitLink, WhatIsMissingIsNamed) {
  Linked linked = link({user});
  EXPECT_EQ(linked.code, static_cast<int>(CompileCode::InvalidSource));
  EXPECT_NE(linked.error.find("unresolved extern function 'f'"), std::string::npos) << linked.error;
}

TEST_F(JitLink, TwoDefinitionsAreAnError) {
  Linked linked = link({user, definition, definition});
  EXPECT_EQ(linked.code, static_cast<int>(CompileCode::InvalidSource));
  EXPECT_NE(linked.error.find("f"), std::string::npos) << linked.error;
}

TEST_F(JitLink, BadInputIsRefused) {
  EXPECT_NE(link({}).code, 0);
  EXPECT_NE(link({std::vector<uint8_t>(100, 0)}).code, 0);
  Linked linked = link({user, definition}, "-unknown");
  EXPECT_NE(linked.error.find("-unknown"), std::string::npos);
}

TEST(DiskCache, KeysDependOnEveryByte) {
  CacheKey a, b, c;
  a.add("ab");
  a.add("c");
  b.add("a");
  b.add("bc");
  c.add("ab");
  c.add("c");
  std::string key = a.hex();
  EXPECT_NE(key, b.hex());
  EXPECT_EQ(key, c.hex());
}

}  // namespace
}  // namespace hel::cc
