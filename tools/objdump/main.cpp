// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuobjdump: what device code a file holds (an executable, a library, an object, a .cubin or .fatbin): its images, the
// names of its kernels, its PTX. The options are those of the vendor's tool; what is not known is refused.
#include <cuda.h>
#include <zstd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "abi/image.h"

namespace {

using hel::abi::ImageEntry;
using hel::abi::ImageHeader;
using hel::abi::ImageKind;

struct Wanted {
  bool list_elf = false, list_ptx = false, ptx = false, symbols = false;
  std::vector<std::string> files;
};

int usage(const char *what, const char *argument) {
  std::fprintf(stderr, "cuobjdump: %s%s\nusage: cuobjdump [-lelf] [-lptx] [-ptx] [-symbols] FILE…\n", what, argument);
  return 2;
}

/// False after a message.
bool read_arguments(int argc, char **argv, Wanted &wanted) {
  struct Option {
    const char *short_name, *long_name;
    bool Wanted::*field;
  };
  const Option options[] = {{"-lelf", "--list-elf", &Wanted::list_elf},
                            {"-lptx", "--list-ptx", &Wanted::list_ptx},
                            {"-ptx", "--dump-ptx", &Wanted::ptx},
                            {"-symbols", "--dump-elf-symbols", &Wanted::symbols}};
  for (int i = 1; i < argc; i++) {
    bool known = argv[i][0] != '-';
    if (known) {
      wanted.files.emplace_back(argv[i]);
    }
    for (const Option &option : options) {
      if (std::strcmp(argv[i], option.short_name) == 0 || std::strcmp(argv[i], option.long_name) == 0) {
        wanted.*option.field = known = true;
      }
    }
    if (!known) {
      usage("unknown option ", argv[i]);
      return false;
    }
  }
  if (wanted.files.empty()) {
    usage("no file was named", "");
    return false;
  }
  if (!wanted.list_elf && !wanted.list_ptx && !wanted.ptx && !wanted.symbols) {
    wanted.list_elf = wanted.list_ptx = true;
  }
  return true;
}

/// Containers stand aligned in whatever file holds them.
std::vector<size_t> containers_of(const std::vector<char> &file) {
  std::vector<size_t> found;
  ImageHeader header;
  for (size_t at = 0; at + sizeof header <= file.size();) {
    std::memcpy(&header, file.data() + at, sizeof header);
    const bool whole = std::memcmp(header.magic, hel::abi::kImageMagic, sizeof header.magic) == 0 &&
                       header.version == hel::abi::kImageVersion && header.total_bytes >= sizeof header &&
                       header.total_bytes <= file.size() - at &&
                       header.entry_count <= (header.total_bytes - sizeof header) / sizeof(ImageEntry);
    if (whole) {
      found.push_back(at);
    }
    at += whole ? (header.total_bytes + 7) & ~uint64_t{7} : 8;
  }
  return found;
}

/// Empty if the entry is broken.
std::string unpacked(const char *container, const ImageHeader &header, const ImageEntry &entry) {
  if (entry.offset > header.total_bytes || entry.bytes > header.total_bytes - entry.offset) {
    return {};
  }
  const char *data = container + entry.offset;
  if ((entry.flags & hel::abi::kEntryZstd) == 0) {
    return std::string(data, entry.bytes);
  }
  std::string text(entry.unpacked_bytes, '\0');
  const size_t got = ZSTD_decompress(text.data(), text.size(), data, entry.bytes);
  return ZSTD_isError(got) ? std::string() : text;
}

void print_entries(const char *container, const ImageHeader &header, const Wanted &wanted) {
  for (uint32_t i = 0; i < header.entry_count; i++) {
    ImageEntry entry;
    std::memcpy(&entry, container + sizeof header + i * sizeof entry, sizeof entry);
    const std::string name =
        std::string(header.module_id, 16) + "." + std::string(entry.target, strnlen(entry.target, 32));
    if (entry.kind == ImageKind::Elf && wanted.list_elf) {
      std::printf("ELF file: %s.cubin\n", name.c_str());
    } else if (entry.kind == ImageKind::Ptx && wanted.list_ptx) {
      std::printf("PTX file: %s.ptx\n", name.c_str());
    } else if (entry.kind == ImageKind::Ptx && wanted.ptx) {
      std::printf("Fatbin ptx code:\n================\narch = %s\n\n%s\n", entry.target,
                  unpacked(container, header, entry).c_str());
    }
  }
}

/// The kernels as the driver finds them: what cannot be loaded has none to show. False after a message.
bool print_symbols(const char *image, const char *arch) {
  CUlibrary library;
  unsigned count = 0;
  if (CUresult code = cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0)) {
    const char *text = "";
    cuGetErrorString(code, &text);
    std::fprintf(stderr, "cuobjdump: the code cannot be read: %s\n", text);
    return false;
  }
  cuLibraryGetKernelCount(&count, library);
  std::vector<CUkernel> kernels(count);
  cuLibraryEnumerateKernels(kernels.data(), count, library);
  std::printf("Fatbin elf code:\n================\narch = %s\n\nsymbols:\n", arch);
  for (CUkernel kernel : kernels) {
    const char *name = "";
    cuKernelGetName(&name, kernel);
    std::printf("STT_FUNC         STB_GLOBAL STO_ENTRY      %s\n", name);
  }
  std::printf("\n");
  cuLibraryUnload(library);
  return true;
}

/// False after a message.
bool dump(const std::string &path, const Wanted &wanted) {
  std::ifstream stream(path, std::ios::binary);
  std::vector<char> file((std::istreambuf_iterator<char>(stream)), {});
  if (!stream) {
    std::fprintf(stderr, "cuobjdump: %s cannot be read\n", path.c_str());
    return false;
  }
  const std::vector<size_t> containers = containers_of(file);
  bool good = true;
  for (size_t at : containers) {
    const std::vector<char> container(file.begin() + static_cast<std::ptrdiff_t>(at), file.end());  // aligned
    ImageHeader header;
    std::memcpy(&header, container.data(), sizeof header);
    print_entries(container.data(), header, wanted);
    good = (!wanted.symbols || print_symbols(container.data(), "x86-64")) && good;
  }
  if (containers.empty()) {
    std::fprintf(stderr, "cuobjdump: %s holds no device code of mcc\n", path.c_str());
    return false;
  }
  return good;
}

}  // namespace

int main(int argc, char **argv) {
  Wanted wanted;
  if (!read_arguments(argc, argv, wanted)) {
    return 2;
  }
  if (wanted.symbols && cuInit(0) != CUDA_SUCCESS) {
    std::fprintf(stderr, "cuobjdump: the library cannot be used\n");
    return 1;
  }
  bool good = true;
  for (const std::string &file : wanted.files) {
    good = dump(file, wanted) && good;
  }
  return good ? 0 : 1;
}
