// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module of SIMT IR to an ELF image: what stands in it, and that the same input gives the same bytes.
#include "compiler/codegen/stub_library.h"
#include "compiler/compile.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace hel::cc {
namespace {

constexpr char kSource[] = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@counter = addrspace(1) externally_initialized global i32 3, align 4
@coef = addrspace(4) externally_initialized constant [4 x float] zeroinitializer, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @kernel(ptr %p, i32 %n) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = load i32, ptr addrspace(1) @counter
  %s = add i32 %v, %i
  store i32 %s, ptr %p
  ret void
}
)";

using Object = llvm::object::ELF64LEObjectFile;

std::unique_ptr<llvm::Module> parse_source(llvm::LLVMContext &context, const char *source = kSource) {
  llvm::SMDiagnostic problem;
  return llvm::parseIR(llvm::MemoryBufferRef(source, "test"), problem, context);
}

std::vector<uint8_t> build(CompileOptions options = {}, const char *source = kSource) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse_source(context, source);
  options.cpu = options.cpu == "x86-64-v3" ? "x86-64-v2" : options.cpu;
  Result<std::vector<uint8_t>> elf = compile_to_elf(std::move(module), options);
  EXPECT_TRUE(static_cast<bool>(elf)) << (elf ? "" : elf.failure().message);
  return elf ? elf.take() : std::vector<uint8_t>();
}

Object parse(const std::vector<uint8_t> &elf) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(elf.data()), elf.size());
  return llvm::cantFail(Object::create(llvm::MemoryBufferRef(bytes, "image")));
}

TEST(Image, ExportsItsTablesOnly) {
  std::vector<uint8_t> elf = build();
  std::vector<std::string> defined;
  for (const llvm::object::ELFSymbolRef symbol : parse(elf).getDynamicSymbolIterators()) {
    if (!(llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined)) {
      defined.push_back(llvm::cantFail(symbol.getName()).str());
    }
  }
  std::sort(defined.begin(), defined.end());
  EXPECT_EQ(defined, (std::vector<std::string>{"__hl_image_info", "__hl_line_info"}));
}

TEST(Image, NeedsTheRuntimeAndHasNoExecutableStack) {
  std::vector<uint8_t> elf = build();
  const auto object = parse(elf);
  bool needs = false;
  for (const auto &entry : llvm::cantFail(object.getELFFile().dynamicEntries())) {
    needs |= entry.d_tag == llvm::ELF::DT_NEEDED;
    EXPECT_NE(entry.d_tag, llvm::ELF::DT_SONAME);
    EXPECT_NE(entry.d_tag, llvm::ELF::DT_TEXTREL);
  }
  EXPECT_TRUE(needs);
  for (const auto &header : llvm::cantFail(object.getELFFile().program_headers())) {
    if (header.p_type == llvm::ELF::PT_GNU_STACK) {
      EXPECT_FALSE(header.p_flags & llvm::ELF::PF_X);
    }
  }
}

TEST(Image, IsDeterministic) { EXPECT_EQ(build(), build()); }

TEST(Image, OneForEachLevel) {
  CompileOptions options;
  options.cpu = "x86-64-v2,x86-64-v4,x86-64-v2";
  llvm::LLVMContext context;
  std::vector<ElfImage> images = compile_to_elfs(parse_source(context), options).take();
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].level, "x86-64-v2");
  EXPECT_EQ(images[1].level, "x86-64-v4");
  EXPECT_EQ(images[0].bytes, build()) << "the same as when made alone";
  EXPECT_NE(images[0].bytes, images[1].bytes);
}

TEST(Image, UnknownLevelsAreRefused) {
  for (const char *cpu : {"z80", "", "x86-64-v3,", "x86-64-v3,z80"}) {
    CompileOptions options;
    options.cpu = cpu;
    llvm::LLVMContext context;
    EXPECT_FALSE(compile_to_elfs(parse_source(context), options)) << cpu;
  }
}

TEST(Image, DebugBuildsWork) {
  CompileOptions options;
  options.debug = true;
  EXPECT_FALSE(build(options).empty());
}

TEST(Image, EmptyModule) { EXPECT_FALSE(build({}, "target triple = \"nvptx64-nvidia-cuda\"\n").empty()); }

TEST(StubLibrary, IsAnElfFileWithASoname) {
  llvm::SmallVector<char, 0> bytes = make_stub_library("libx.so.7");
  llvm::Expected<Object> object = Object::create(llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), "stub"));
  ASSERT_TRUE(static_cast<bool>(object));
  EXPECT_EQ(object->getELFFile().getHeader().e_type, llvm::ELF::ET_DYN);
  EXPECT_NE(llvm::StringRef(bytes.data(), bytes.size()).find("libx.so.7"), llvm::StringRef::npos);
}

}  // namespace
}  // namespace hel::cc
