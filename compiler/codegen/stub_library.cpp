// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/stub_library.h"

#include "llvm/BinaryFormat/ELF.h"

#include <cstring>
#include <string>

namespace hel::cc {
namespace {

using namespace llvm::ELF;

/// The file: header, string table, one null symbol, dynamic section, section headers.
struct Image {
  Elf64_Ehdr header;
  Elf64_Sym symbols[1];
  Elf64_Dyn dynamic[2];
  Elf64_Shdr sections[4];
};

Elf64_Shdr section(unsigned type, size_t offset, size_t bytes, unsigned link, size_t entry) {
  Elf64_Shdr s{};
  s.sh_type = type;
  s.sh_flags = SHF_ALLOC;
  s.sh_offset = offset;
  s.sh_size = bytes;
  s.sh_link = link;
  s.sh_info = type == SHT_DYNSYM ? 1 : 0;
  s.sh_addralign = 8;
  s.sh_entsize = entry;
  return s;
}

}  // namespace

llvm::SmallVector<char, 0> make_stub_library(llvm::StringRef soname) {
  std::string strings = std::string(1, '\0') + soname.str() + std::string(1, '\0');
  Image image{};
  std::memcpy(image.header.e_ident, ElfMagic, 4);
  image.header.e_ident[EI_CLASS] = ELFCLASS64;
  image.header.e_ident[EI_DATA] = ELFDATA2LSB;
  image.header.e_ident[EI_VERSION] = EV_CURRENT;
  image.header.e_type = ET_DYN;
  image.header.e_machine = EM_X86_64;
  image.header.e_version = EV_CURRENT;
  image.header.e_shoff = offsetof(Image, sections);
  image.header.e_ehsize = sizeof(Elf64_Ehdr);
  image.header.e_shentsize = sizeof(Elf64_Shdr);
  image.header.e_shnum = 4;
  image.dynamic[0].d_tag = DT_SONAME;
  image.dynamic[0].d_un.d_val = 1;
  image.sections[1] = section(SHT_STRTAB, sizeof(Image), strings.size(), 0, 0);
  image.sections[2] = section(SHT_DYNSYM, offsetof(Image, symbols), sizeof(image.symbols), 1, sizeof(Elf64_Sym));
  image.sections[3] = section(SHT_DYNAMIC, offsetof(Image, dynamic), sizeof(image.dynamic), 1, sizeof(Elf64_Dyn));
  image.header.e_shstrndx = 1;
  llvm::SmallVector<char, 0> bytes(reinterpret_cast<char *>(&image), reinterpret_cast<char *>(&image + 1));
  bytes.append(strings.begin(), strings.end());
  return bytes;
}

}  // namespace hel::cc
