// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/device_link.h"

#include "compiler/codegen/read_container.h"
#include "compiler/compile.h"
#include "compiler/ir/link_messages.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"

namespace hel::cc {
namespace {

using Container = std::vector<uint8_t>;  // 8-byte aligned, which bytes inside an object file need not be

/// The containers in an object's section hl_offload. Anything that is no such object has none.
void collect(llvm::MemoryBufferRef file, std::vector<Container> *containers) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object = llvm::object::ObjectFile::createObjectFile(file);
  if (!object) {
    llvm::consumeError(object.takeError());
    return;
  }
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    llvm::Expected<llvm::StringRef> bytes = section.getContents();
    if (name && bytes && *name == "hl_offload") {
      containers->emplace_back(bytes->bytes_begin(), bytes->bytes_end());
    }
    llvm::consumeError(name.takeError());
    llvm::consumeError(bytes.takeError());
  }
}

void collect_members(llvm::MemoryBufferRef file, std::vector<Container> *containers) {
  llvm::Error error = llvm::Error::success();
  llvm::object::Archive archive(file, error);
  if (error) {
    llvm::consumeError(std::move(error));
    return;
  }
  for (const llvm::object::Archive::Child &child : archive.children(error)) {
    llvm::Expected<llvm::MemoryBufferRef> member = child.getMemoryBufferRef();
    if (member) {
      collect(*member, containers);
    }
    llvm::consumeError(member.takeError());
  }
  llvm::consumeError(std::move(error));
}

Result<std::unique_ptr<llvm::Module>> parse(const Container &container, llvm::LLVMContext &context) {
  ContainerView view = HEL_TRY(ContainerView::open(container.data()));
  std::vector<uint8_t> bitcode = HEL_TRY(view.read(abi::ImageKind::Bitcode));
  llvm::StringRef bytes(reinterpret_cast<const char *>(bitcode.data()), bitcode.size());
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "device code"), context);
  if (!module) {
    return HEL_FAIL(1, "device code cannot be read: %s", llvm::toString(module.takeError()).c_str());
  }
  return std::move(*module);
}

/// Adds each container's module to `linked` (made with the first).
Result<void> link_all(const std::vector<Container> &containers, unsigned flags, const std::string &messages,
                      std::unique_ptr<llvm::Module> *linked, llvm::LLVMContext &context) {
  for (const Container &container : containers) {
    std::unique_ptr<llvm::Module> next = HEL_TRY(parse(container, context));
    if (!*linked) {
      *linked = std::move(next);
    } else if (llvm::Linker::linkModules(**linked, std::move(next), flags)) {
      return HEL_FAIL(1, "device link failed: %s", llvm::StringRef(messages).trim().str().c_str());
    }
  }
  return {};
}

}  // namespace

Result<void> check_device_link(const std::vector<std::string> &objects) {
  std::vector<Container> wanted;
  std::vector<Container> offered;
  for (const std::string &path : objects) {
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file = llvm::MemoryBuffer::getFile(path);
    if (!file) {
      continue;  // the host link says so
    }
    bool is_library = llvm::StringRef((*file)->getBuffer()).starts_with("!<arch>\n");
    (is_library ? collect_members : collect)((*file)->getMemBufferRef(), is_library ? &offered : &wanted);
  }
  if (wanted.empty()) {
    return {};
  }
  llvm::LLVMContext context;
  std::string messages;
  context.setDiagnosticHandler(std::make_unique<LinkMessages>(messages));
  std::unique_ptr<llvm::Module> linked;
  HEL_TRY(link_all(wanted, llvm::Linker::None, messages, &linked, context));
  for (int round = 0; round < 2; ++round) {  // members may refer to each other in either direction
    HEL_TRY(link_all(offered, llvm::Linker::LinkOnlyNeeded, messages, &linked, context));
  }
  CompileOptions options;
  options.cpu = "native";
  options.optimise = 0;
  options.source_name = "device link";
  HEL_TRY(compile_to_elf(std::move(linked), options));
  return {};
}

}  // namespace hel::cc
