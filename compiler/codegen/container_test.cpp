// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image containers: what the writer writes, the reader reads; damage is noticed.
#include "compiler/codegen/read_container.h"
#include "compiler/compile.h"

#include <cstring>
#include <gtest/gtest.h>

namespace hel::cc {
namespace {

CompileOptions options() {
  CompileOptions o;
  o.relocatable = true;
  o.line_info = true;
  o.language = abi::ImageLanguage::Musa;
  o.module_id = "0123456789abcdef";
  return o;
}

TEST(Container, RoundTrip) {
  std::vector<uint8_t> elf(1000, 7), better(700, 8), bitcode(50000, 3);
  std::vector<uint8_t> bytes = write_container(options(), {{{"x86-64-v3", elf}, {"x86-64-v4", better}}, bitcode, ""}).take();
  ContainerView view = ContainerView::open(bytes.data()).take();
  EXPECT_EQ(view.size(), bytes.size());
  EXPECT_LT(bytes.size(), elf.size() + bitcode.size()) << "bitcode is compressed";
  EXPECT_EQ(view.header().flags, abi::kImageRelocatable | abi::kImageLineInfo);
  EXPECT_EQ(view.header().language, abi::ImageLanguage::Musa);
  EXPECT_STREQ(view.header().module_id, "0123456789abcdef");
  EXPECT_EQ(view.read(abi::ImageKind::Elf).take(), elf);
  EXPECT_EQ(view.read(abi::ImageKind::Bitcode).take(), bitcode);
  EXPECT_FALSE(view.read(abi::ImageKind::Ptx));
  auto *entry = reinterpret_cast<const abi::ImageEntry *>(bytes.data() + sizeof(abi::ImageHeader));
  EXPECT_STREQ(entry[0].target, "x86-64-v3");
  EXPECT_STREQ(entry[1].target, "x86-64-v4");
  EXPECT_EQ(entry[1].bytes, better.size());
  EXPECT_EQ(entry[0].offset % 64, 0u);
  EXPECT_EQ(entry[1].offset % 64, 0u);
}

TEST(Container, HoldsPtxForItsGpu) {
  CompileOptions o = options();
  o.gpu = "sm_75";
  std::string ptx(3000, 'p');
  std::vector<uint8_t> bytes = write_container(o, {{}, {}, ptx}).take();
  ContainerView view = ContainerView::open(bytes.data()).take();
  std::vector<uint8_t> read = view.read(abi::ImageKind::Ptx).take();
  EXPECT_EQ(std::string(read.begin(), read.end()), ptx);
  auto *entry = reinterpret_cast<const abi::ImageEntry *>(bytes.data() + sizeof(abi::ImageHeader));
  EXPECT_STREQ(entry->target, "sm_75");
}

TEST(Container, IsDeterministic) {
  std::vector<ElfImage> elf = {{"x86-64-v3", std::vector<uint8_t>(10, 7)}};
  std::vector<uint8_t> bitcode(500, 3);
  EXPECT_EQ(write_container(options(), {elf, bitcode, ""}).take(), write_container(options(), {elf, bitcode, ""}).take());
}

TEST(Container, LeavesOutWhatIsEmpty) {
  std::vector<uint8_t> bytes = write_container(options(), {{}, {1, 2, 3}, ""}).take();
  ContainerView view = ContainerView::open(bytes.data()).take();
  EXPECT_EQ(view.header().entry_count, 1u);
  EXPECT_FALSE(view.read(abi::ImageKind::Elf));
}

TEST(Container, DamageIsNoticed) {
  std::vector<uint8_t> good = write_container(options(), {{{"x86-64-v3", {1, 2, 3}}}, std::vector<uint8_t>(500, 1), ""}).take();
  std::vector<uint8_t> bad = good;
  bad[0] = 'x';
  EXPECT_FALSE(ContainerView::open(bad.data()));
  bad = good;
  bad[8] = 99;  // version
  EXPECT_FALSE(ContainerView::open(bad.data()));
  bad = good;
  auto *entries = reinterpret_cast<abi::ImageEntry *>(bad.data() + sizeof(abi::ImageHeader));
  entries[1].offset = good.size();
  EXPECT_FALSE(ContainerView::open(bad.data()));
  bad = good;
  entries = reinterpret_cast<abi::ImageEntry *>(bad.data() + sizeof(abi::ImageHeader));
  std::memset(bad.data() + entries[1].offset, 0xff, 8);
  EXPECT_FALSE(ContainerView::open(bad.data()).take().read(abi::ImageKind::Bitcode));
  EXPECT_FALSE(ContainerView::open(nullptr));
}

}  // namespace
}  // namespace hel::cc
