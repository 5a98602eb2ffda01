// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libhelicon-jit: see abi/jit.h.
#include "abi/jit.h"

#include "compiler/codegen/jit/disk_cache.h"
#include "compiler/codegen/read_container.h"
#include "compiler/codegen/target.h"
#include "compiler/compile.h"
#include "compiler/ir/link_messages.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

extern "C" [[gnu::visibility("default")]] int hel_jit_link(const void *const *containers, size_t count,
                                                           const char *options, void **out, size_t *out_bytes,
                                                           char **error);

namespace hel::cc {
namespace {

Result<void> read_options(llvm::StringRef text, CompileOptions &options) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    if (word.consume_front("-cpu=")) {
      options.cpu = word.str();
    } else if (word == "-G") {
      options.debug = options.line_info = true;
    } else if (word == "-lineinfo") {
      options.line_info = true;
    } else if (word.size() == 3 && word.starts_with("-O") && word[2] >= '0' && word[2] <= '3') {
      options.optimise = word[2] - '0';
    } else {
      return HEL_FAIL(CompileCode::InvalidValue, "unknown option '%s' for the device link", word.str().c_str());
    }
  }
  return {};
}

Result<std::unique_ptr<llvm::Module>> parse(const std::vector<uint8_t> &bitcode, llvm::LLVMContext &context) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(bitcode.data()), bitcode.size());
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "device code"), context);
  if (!module) {
    return HEL_FAIL(CompileCode::InvalidSource, "cannot read device bitcode: %s",
                    llvm::toString(module.takeError()).c_str());
  }
  return std::move(*module);
}

Result<std::unique_ptr<llvm::Module>> link(const std::vector<ContainerView> &views, llvm::LLVMContext &context) {
  std::string messages;
  context.setDiagnosticHandler(std::make_unique<LinkMessages>(messages));
  std::unique_ptr<llvm::Module> linked;
  for (const ContainerView &view : views) {
    std::vector<uint8_t> bitcode = HEL_TRY(view.read(abi::ImageKind::Bitcode));
    std::unique_ptr<llvm::Module> next = HEL_TRY(parse(bitcode, context));
    if (!linked) {
      linked = std::move(next);
    } else if (llvm::Linker::linkModules(*linked, std::move(next))) {
      return HEL_FAIL(CompileCode::InvalidSource, "device link failed: %s", llvm::StringRef(messages).trim().str().c_str());
    }
  }
  return linked;
}

/// This library's own file stands for the version of the compiler.
std::string own_path() {
  Dl_info info;
  return dladdr(reinterpret_cast<const void *>(&hel_jit_link), &info) && info.dli_fname ? info.dli_fname : "";
}

Result<std::string> make_key(const std::vector<ContainerView> &views, const CompileOptions &options) {
  TargetChoice choice = HEL_TRY(choose_target(options.cpu));
  CacheKey key;
  key.add(choice.level + " " + choice.tune_for + " " HELICON_VERSION);
  key.add(format("%d %d %d", options.optimise, options.debug, options.line_info));
  key.add_file(own_path());
  key.add_file(default_device_library());
  for (const ContainerView &view : views) {
    key.add(view.bytes(), view.size());
  }
  return key.hex();
}

Result<std::vector<uint8_t>> link_and_compile(const void *const *containers, size_t count, const char *words) {
  CompileOptions options;
  options.cpu = "native";
  options.source_name = "device link";
  HEL_TRY(read_options(words ? words : "", options));
  std::vector<ContainerView> views;
  for (size_t i = 0; i < count; ++i) {
    views.push_back(HEL_TRY(ContainerView::open(containers[i])));
    options.debug |= (views.back().header().flags & abi::kImageDebug) != 0;
    options.line_info |= (views.back().header().flags & abi::kImageLineInfo) != 0;
    options.language = views.back().header().language;
  }
  if (views.empty()) {
    return HEL_FAIL(CompileCode::InvalidValue, "nothing to link");
  }
  std::string key = HEL_TRY(make_key(views, options));
  if (std::optional<std::vector<uint8_t>> known = read_cache(key)) {
    return std::move(*known);
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = HEL_TRY(link(views, context));
  std::vector<uint8_t> elf = HEL_TRY(compile_to_elf(std::move(module), options));
  write_cache(key, elf);
  return elf;
}

}  // namespace
}  // namespace hel::cc

int hel_jit_link(const void *const *containers, size_t count, const char *options, void **out, size_t *out_bytes,
                 char **error) {
  auto elf = hel::cc::link_and_compile(containers, count, options);
  if (!elf) {
    *error = strdup(elf.failure().message.c_str());
    return elf.failure().code;
  }
  *out_bytes = elf.value().size();
  *out = std::malloc(*out_bytes);
  if (!*out) {
    *error = strdup("no memory for the linked image");
    return 2;
  }
  std::memcpy(*out, elf.value().data(), *out_bytes);
  return 0;
}
