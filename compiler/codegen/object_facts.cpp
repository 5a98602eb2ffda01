// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/object_facts.h"

#include "compiler/compile.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/DataExtractor.h"

#include <algorithm>
#include <map>

namespace hel::cc {
namespace {

using Object = llvm::object::ELF64LEObjectFile;

std::unique_ptr<Failure> unreadable(llvm::Error error) {
  return HEL_FAIL_KIND(CompileCode::Internal, Internal, "cannot read the emitted object: %s",
                       llvm::toString(std::move(error)).c_str());
}

bool is_text(const llvm::object::SectionRef &section) {
  llvm::Expected<llvm::StringRef> name = section.getName();
  if (!name) {
    llvm::consumeError(name.takeError());
    return false;
  }
  return *name == ".text";
}

/// Frame sizes by function offset: .stack_sizes holds (address, ULEB size) pairs, the addresses as relocations.
std::map<uint64_t, uint32_t> read_stack_sizes(const Object &object) {
  std::map<uint64_t, uint64_t> address_at;
  std::map<uint64_t, uint32_t> sizes;
  llvm::StringRef bytes;
  for (const llvm::object::SectionRef &section : object.sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    llvm::Expected<llvm::StringRef> contents = section.getContents();
    bool wanted = name && contents && *name == ".stack_sizes";
    llvm::consumeError(name.takeError());
    if (wanted) {
      HEL_ENSURE(bytes.empty(), "the code stands in several sections");
      bytes = *contents;
    }
    llvm::consumeError(contents.takeError());
  }
  for (const llvm::object::SectionRef &section : object.sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    bool wanted = name && *name == ".rela.stack_sizes";
    llvm::consumeError(name.takeError());
    for (const llvm::object::RelocationRef &relocation : section.relocations()) {
      if (!wanted) {
        break;
      }
      llvm::Expected<int64_t> addend = llvm::object::ELFRelocationRef(relocation).getAddend();
      uint64_t target = addend ? static_cast<uint64_t>(*addend) : 0;
      llvm::consumeError(addend.takeError());
      if (auto symbol = relocation.getSymbol(); symbol != object.symbol_end()) {
        llvm::Expected<uint64_t> value = symbol->getValue();
        target += value ? *value : 0;
        llvm::consumeError(value.takeError());
      }
      address_at[relocation.getOffset()] = target;
    }
  }
  llvm::DataExtractor data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  for (uint64_t offset = 0; data.isValidOffset(offset);) {
    auto known = address_at.find(offset);
    uint64_t address = data.getU64(&offset);
    sizes[known == address_at.end() ? address : known->second] = data.getULEB128(&offset);
  }
  return sizes;
}

Result<void> read_functions(const Object &object, ObjectFacts &facts) {
  std::map<uint64_t, uint32_t> stack = read_stack_sizes(object);
  for (const llvm::object::ELFSymbolRef symbol : object.symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC || symbol.getSize() == 0) {
      continue;
    }
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    llvm::Expected<uint64_t> value = symbol.getValue();
    if (!name || !value) {
      return unreadable(llvm::joinErrors(name.takeError(), value.takeError()));
    }
    auto begin = static_cast<uint32_t>(*value);
    auto frame = stack.find(*value);
    facts.functions.push_back({name->str(), begin, begin + static_cast<uint32_t>(symbol.getSize()),
                               frame == stack.end() ? 0 : frame->second});
  }
  std::sort(facts.functions.begin(), facts.functions.end(),
            [](const CodeRange &a, const CodeRange &b) { return a.begin < b.begin; });
  return {};
}

std::string file_name(const llvm::DWARFDebugLine::LineTable &table, const llvm::DWARFDebugLine::Row &row,
                      const char *folder) {
  std::string name;
  using Kind = llvm::DILineInfoSpecifier::FileLineInfoKind;
  table.getFileNameByIndex(row.File, folder, Kind::AbsoluteFilePath, name);
  return name;
}

/// By offset; of several rows with one offset the last one counts.
void sort_lines(std::vector<CodeLine> &lines) {
  std::map<uint32_t, CodeLine> by_offset;
  for (CodeLine &line : lines) {
    by_offset[line.offset] = std::move(line);
  }
  lines.clear();
  for (auto &[offset, line] : by_offset) {
    bool same = !lines.empty() && lines.back().line == line.line && lines.back().file == line.file;
    if (!same) {
      lines.push_back(std::move(line));
    }
  }
}

void read_lines(const Object &object, ObjectFacts &facts) {
  std::unique_ptr<llvm::DWARFContext> context = llvm::DWARFContext::create(object);
  uint64_t text = llvm::object::SectionedAddress::UndefSection;
  for (const llvm::object::SectionRef &section : object.sections()) {
    if (is_text(section)) {
      text = section.getIndex();
    }
  }
  for (const std::unique_ptr<llvm::DWARFUnit> &unit : context->compile_units()) {
    const llvm::DWARFDebugLine::LineTable *table = context->getLineTableForUnit(unit.get());
    if (!table) {
      continue;
    }
    for (const llvm::DWARFDebugLine::Row &row : table->Rows) {
      if (row.Address.SectionIndex != text) {
        continue;
      }
      bool none = row.EndSequence || row.Line == 0;
      facts.lines.push_back({static_cast<uint32_t>(row.Address.Address), none ? 0 : row.Line,
                             none ? "" : file_name(*table, row, unit->getCompilationDir())});
    }
  }
  sort_lines(facts.lines);
}

}  // namespace

Result<ObjectFacts> read_object_facts(llvm::ArrayRef<char> bytes) {
  llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), "device code");
  llvm::Expected<Object> object = Object::create(buffer);
  if (!object) {
    return unreadable(object.takeError());
  }
  ObjectFacts facts;
  HEL_TRY(read_functions(*object, facts));
  read_lines(*object, facts);
  return facts;
}

}  // namespace hel::cc
