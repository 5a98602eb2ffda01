// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/clang_arguments.h"

#include "compiler/driver/files.h"
#include "compiler/frontend/diagnostic_numbers.h"
#include "compiler/frontend/source_unit.h"

#include <cstring>
#include <sys/stat.h>

namespace hel::cc {
namespace {

using Words = std::vector<std::string>;

void append(Words *to, const Words &from) { to->insert(to->end(), from.begin(), from.end()); }

/// `option` before each of `values`, as two words.
void append_each(Words *to, const char *option, const Words &values) {
  for (const std::string &value : values) {
    append(to, {option, value});
  }
}

bool starts_with(const std::string &text, const char *prefix) { return text.compare(0, strlen(prefix), prefix) == 0; }

/// Host options that must not reach device code: optimisation, arithmetic, instrumentation, debug information.
bool is_host_only(const std::string &word) {
  for (const char *prefix : {"-O", "-g", "-fsanitize", "-fprofile", "-fcoverage", "-flto", "-fopenmp", "-ffast-math", "-funsafe-math",
                             "-fassociative", "-freciprocal", "-ffinite-math", "-fno-math", "-fno-signed", "-fno-trapping", "-ffp-",
                             "-fstack-", "-fno-stack-", "-fcf-protection", "-mrecip", "-mfma", "-ftree", "-fno-tree", "-fvectorize",
                             "-fno-vectorize", "-fslp", "-fno-slp", "-funroll", "-fno-unroll", "-fno-plt", "-fPI", "-fpi", "-fno-PI", "-fno-pi",
                             "-mcmodel", "-p", "-coverage", "--coverage"}) {
    if (starts_with(word, prefix) && word != "-pthread" && !starts_with(word, "-pedantic")) {
      return true;
    }
  }
  return false;
}

/// `names`: nvcc's numbers, nvcc's names (which have underscores) and clang's names.
void append_diagnostics(Words *to, const Words &names, const char *prefix) {
  for (const std::string &name : names) {
    bool is_foreign = name.find_first_not_of("0123456789") == std::string::npos || name.find('_') != std::string::npos;
    const char *known = clang_warning_of(name);
    if (known || !is_foreign) {
      to->push_back(prefix + (known ? std::string(known) : name));
    }
  }
}

Words warning_arguments(const CommandLine &line) {
  // What clang takes for errors and nvcc's host compiler for warnings.
  Words words = {
      "-Wno-ignored-optimization-argument", "-Wno-unused-command-line-argument",        "-Wno-error=register",
      "-Wno-error=c++11-narrowing",         "-Wno-error=reserved-user-defined-literal", "-Wno-error=parentheses"};
  if (line.has(Option::XCompiler)) {
    words.push_back("-Wno-unknown-warning-option");  // it may be another compiler's
  }
  if (line.has(Option::NoWarnings)) {
    words.push_back("-w");
  }
  if (line.has(Option::WarnReorder)) {
    words.push_back("-Wreorder");
  }
  if (line.has(Option::NoWarnDeprecatedDecl)) {
    words.push_back("-Wno-deprecated-declarations");
  }
  for (const std::string &kind : line.values(Option::WarningsAsErrors)) {
    if (kind == "true" || kind == "all-warnings") {
      words.push_back("-Werror");
    } else if (kind == "reorder" || kind == "deprecated-declarations") {
      words.push_back("-Werror=" + kind);
    }
  }
  return words;
}

/// What the user says of single messages; it comes after -Wall and its like.
void append_message_choices(Words *to, const CommandLine &line) {
  append_diagnostics(to, line.values(Option::DiagSuppress), "-Wno-");
  append_diagnostics(to, line.values(Option::DiagWarn), "-W");
  append_diagnostics(to, line.values(Option::DiagError), "-Werror=");
}

/// -ccbin g++-13 chooses the C++ library headers of that compiler.
void append_host_compiler(Words *to, const CommandLine &line) {
  std::string name = line.value(Option::CompilerBindir);
  size_t dash = name.rfind('-');
  std::string version = dash == std::string::npos ? "" : name.substr(dash + 1);
  if (!version.empty() && version.find_first_not_of("0123456789.") == std::string::npos) {
    std::string folder = "/usr/lib/gcc/x86_64-linux-gnu/" + version;
    struct stat info;
    if (stat(folder.c_str(), &info) == 0) {
      to->push_back("--gcc-install-dir=" + folder);
    }
  }
}

/// What both passes of any source share: language, macros, folders, warnings.
Words common_arguments(const CompileSettings &settings, const Source &source) {
  const CommandLine &line = settings.line;
  bool is_c = source.language == SourceLanguage::C;
  Words words;
  append_host_compiler(&words, line);
  std::string standard = line.value(Option::Std);
  bool is_old = standard == "c++03" || standard == "gnu++03";
  if (is_old && has_device_code(source)) {
    standard = "gnu++11";  // the toolkit's headers need it
  }
  bool is_c_standard = !standard.empty() && standard.find("++") == std::string::npos;
  if (is_c == is_c_standard && !standard.empty()) {
    words.push_back("-std=" + standard);
  } else if (!is_c) {
    words.push_back("-std=gnu++17");
  }
  append_each(&words, "-I", line.values(Option::Include));
  append_each(&words, "-iquote", line.values(Option::QuoteInclude));
  append_each(&words, "-isystem", line.values(Option::SystemInclude));
  if (!is_c && !settings.cccl.empty()) {
    if (source.language == SourceLanguage::Musa) {
      append(&words, {"-isystem", settings.toolkit.include() + "/helicon/musa"});
    }
    append(&words, {"-isystem", settings.cccl});
  }
  append_each(&words, "-idirafter", line.values(Option::AfterInclude));
  if (has_device_code(source)) {
    words.push_back("-include");
    words.push_back(settings.toolkit.include() + (source.language == SourceLanguage::Musa ? "/musa_runtime.h" : "/cuda_runtime.h"));
  }
  append_each(&words, "-include", line.values(Option::PreInclude));
  append(&words, warning_arguments(line));
  if (line.has(Option::NoExceptions)) {
    words.push_back("-fno-exceptions");
  }
  for (Option option : {Option::TemplateDepth, Option::TemplateBacktrace}) {
    if (line.has(option)) {
      words.push_back((option == Option::TemplateDepth ? "-ftemplate-depth=" : "-ftemplate-backtrace-limit=") + line.value(option));
    }
  }
  append_each(&words, "-Xclang", line.values(Option::XClang));
  return words;
}

struct CudaVersion {
  std::string major, minor;
};

/// The version that the program sees: that of the interface, or the last one of the series that --cuda-compat names.
CudaVersion cuda_version(const CommandLine &line) {
  const std::string compat = line.value(Option::CudaCompat);
  return compat == "12" ? CudaVersion{"12", "9"} : compat == "11" ? CudaVersion{"11", "8"} : CudaVersion{"13", "0"};
}

/// What CUDA code sees; in MUSA code that is CCCL (macros_of_cuda_code).
void append_cuda_macros(Words *to, const CompileSettings &settings) {
  const CommandLine &line = settings.line;
  const CudaVersion version = cuda_version(line);
  append(to, {"-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=" + version.major, "-D__CUDACC_VER_MINOR__=" + version.minor,
              "-D__CUDACC_VER_BUILD__=88", "-D__CUDA_API_VER_MAJOR__=" + version.major,
              "-D__CUDA_API_VER_MINOR__=" + version.minor, "-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1"});
  struct Row {
    bool is_on;
    const char *macro;
  };
  const Row rows[] = {
      {line.has(Option::ExtendedLambda), "-D__CUDACC_EXTENDED_LAMBDA__"},
      {line.has(Option::RelaxedConstexpr), "-D__CUDACC_RELAXED_CONSTEXPR__"},
      {line.has(Option::DeviceDebug), "-D__CUDACC_DEBUG__"},
      {settings.relocatable, "-D__CUDACC_RDC__"},
  };
  for (const Row &row : rows) {
    if (row.is_on) {
      to->push_back(row.macro);
    }
  }
}

/// The macros by which users know the compiler. The user's own -D and -U come after them.
void append_macros(Words *to, const CompileSettings &settings, const Source &source) {
  const CommandLine &line = settings.line;
  to->push_back("-D__HELICON__=1");
  if (source.language != SourceLanguage::Musa) {
    to->push_back("-D__NVCC__=1");  // in files of the system it is hidden (frontend/macros_by_file.h)
  }
  if (line.has(Option::CudaCompat)) {
    to->push_back("-DHELICON_CUDA_COMPAT=" + line.value(Option::CudaCompat));
  }
  if (has_device_code(source)) {
    append_cuda_macros(to, settings);
  }
  if (source.language == SourceLanguage::Musa) {
    const CudaVersion version = cuda_version(line);
    append(to, {"-D__MUSA__=1", "-D__MUSACC__=1", "-DCUDA_VERSION=" + version.major + "0" + version.minor + "0"});
  }
  if (settings.relocatable) {
    // CCCL takes separate compilation for a sign that kernels may launch kernels, which they may not.
    append(to, {"-DCUB_DISABLE_CDP", "-DCCCL_DISABLE_CDP"});
  }
  append_each(to, "-D", line.values(Option::Define));
  append_each(to, "-U", line.values(Option::Undefine));
}

std::string joined(const std::vector<int> &numbers) {
  std::string text;
  for (int number : numbers) {
    text += (text.empty() ? "" : ",") + std::to_string(number);
  }
  return text;
}

/// Of "NAME=VALUE" or "NAME".
std::string macro_name(const std::string &definition) { return definition.substr(0, definition.find('=')); }

/// clang's CUDA mode as both passes use it.
void append_cuda_mode(Words *to, const CompileSettings &settings, const Source &source) {
  append(to, {"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-Wno-unknown-cuda-version",
              "-Wno-unknown-pragmas", "-Wno-cuda-compat", "--cuda-gpu-arch=" + settings.arch.clang_cpu, "-Xclang",
              "-target-sdk-version=12.8", "-cuid=" + source.unit_id});
  if (settings.relocatable) {
    append(to, {"-fgpu-rdc", "--offload-new-driver"});
  }
  if (has_per_thread_stream(settings.line)) {
    to->push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    to->push_back("-DMUSA_API_PER_THREAD_DEFAULT_STREAM=1");
  }
  append(to, {"-Xclang", "-U__CUDA_ARCH_LIST__", "-Xclang", "-D__CUDA_ARCH_LIST__=" + joined(settings.arch.listed)});
}

/// Arithmetic of device code, as attributes in the IR and as macros for the device headers.
void append_device_math(Words *to, const CommandLine &line) {
  bool is_fast = line.has(Option::FastMath);
  bool ftz = line.is_true(Option::Ftz, is_fast);
  bool prec_div = line.is_true(Option::PrecDiv, !is_fast);
  bool prec_sqrt = line.is_true(Option::PrecSqrt, !is_fast);
  to->push_back(line.is_true(Option::Fmad, true) ? "-ffp-contract=fast" : "-ffp-contract=off");
  if (ftz) {
    to->push_back("-fgpu-flush-denormals-to-zero");
  }
  auto define = [&](const char *name, bool on) { to->push_back(format("-D%s=%d", name, on)); };
  define("__HELICON_FTZ__", ftz);
  define("__HELICON_PREC_DIV__", prec_div);
  define("__HELICON_PREC_SQRT__", prec_sqrt);
  if (is_fast) {
    define("__HELICON_FAST_MATH__", true);
    define("__USE_FAST_MATH__", true);
  }
}

void append_dependencies(Words *to, const CommandLine &line) {
  struct Row {
    Option option;
    const char *word;
  };
  for (const Row &row : {Row{Option::DependenciesToo, "-MD"}, Row{Option::UserDependenciesToo, "-MMD"}, Row{Option::Dependencies, "-M"},
                         Row{Option::UserDependencies, "-MM"}, Row{Option::DependencyPhony, "-MP"}}) {
    if (line.has(row.option)) {
      to->push_back(row.word);
    }
  }
  if (line.has(Option::DependencyOutput)) {
    append(to, {"-MF", line.value(Option::DependencyOutput)});
  }
  append_each(to, "-MT", line.values(Option::DependencyTarget));
  append_each(to, "-MQ", line.values(Option::DependencyQuotedTarget));
}

}  // namespace

bool has_per_thread_stream(const CommandLine &line) {
  for (const std::string &macro : line.values(Option::Define)) {
    std::string name = macro_name(macro);
    if (name == "CUDA_API_PER_THREAD_DEFAULT_STREAM" || name == "MUSA_API_PER_THREAD_DEFAULT_STREAM") {
      return true;
    }
  }
  return line.value(Option::DefaultStream) == "per-thread";
}

std::vector<std::string> macros_of_cuda_code(const CompileSettings &settings) {
  Words defined;
  append_cuda_macros(&defined, settings);
  Words names = {"CUDA_VERSION",           "__CUDA__",
                 "__CUDA_ARCH__",          "__CUDA_ARCH_LIST__",
                 "__CUDA_ARCH_SPECIFIC__", "__CUDA_ARCH_FAMILY_SPECIFIC__"};
  for (const std::string &word : defined) {
    names.push_back(macro_name(word.substr(2)));
  }
  for (const std::string &macro : settings.line.values(Option::Define)) {
    std::erase(names, macro_name(macro));
  }
  return names;
}

std::vector<std::string> device_arguments(const CompileSettings &settings, const Source &source) {
  const CommandLine &line = settings.line;
  Words words = common_arguments(settings, source);
  append_cuda_mode(&words, settings, source);
  append(&words, {"--cuda-device-only", "--cuda-feature=+ptx88", "-D__HELICON_DEVICE_PASS__=1", "-D__HL_DEVICE__=1"});
  append(&words, {"-Xclang", "-U__CUDA_ARCH__", "-Xclang", format("-D__CUDA_ARCH__=%d", settings.arch.number)});
  if (settings.arch.variant == 'a') {
    words.push_back(format("-D__CUDA_ARCH_SPECIFIC__=%d", settings.arch.number));
  }
  if (settings.arch.variant != '\0') {
    words.push_back(format("-D__CUDA_ARCH_FAMILY_SPECIFIC__=%d", settings.arch.number));
  }
  if (source.language == SourceLanguage::Musa) {
    words.push_back(format("-D__MUSA_ARCH__=%d", settings.arch.musa_number));
  }
  append_macros(&words, settings, source);
  append_device_math(&words, line);
  bool is_debug = line.has(Option::DeviceDebug) && !line.has(Option::DeviceOptimize);
  append(&words, {is_debug ? "-O0" : "-O3", "-Xclang", "-disable-llvm-passes"});
  if (line.has(Option::DeviceDebug) || line.has(Option::LineInfo)) {
    const char *kind = line.has(Option::DeviceDebug) ? "-debug-info-kind=constructor" : "-debug-info-kind=line-tables-only";
    append(&words, {"-Xclang", kind, "-Xclang", "-dwarf-version=5"});
  }
  for (const std::string &word : line.host_arguments) {
    if (!is_host_only(word)) {
      words.push_back(word);
    }
  }
  append_message_choices(&words, line);
  words.push_back(source.path);
  if (line.has(Option::Dependencies) || line.has(Option::UserDependencies)) {
    append_dependencies(&words, line);
  } else if (line.has(Option::Preprocess)) {
    words.push_back("-E");
  } else {
    append(&words, {"-emit-llvm", "-c"});
  }
  return words;
}

std::vector<std::string> host_arguments(const CompileSettings &settings, const Source &source) {
  const CommandLine &line = settings.line;
  Words words = common_arguments(settings, source);
  if (has_device_code(source)) {
    append_cuda_mode(&words, settings, source);
    words.push_back("--cuda-host-only");
    append(&words, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", kImagePath});
  } else {
    append(&words, {"-x", source.language == SourceLanguage::C ? "c" : "c++"});
  }
  append_macros(&words, settings, source);
  // Programs check kernels against the same arithmetic on the host: signed numbers wrap there as they do in kernels.
  words.push_back("-fwrapv");
  for (const std::string &level : line.values(Option::Optimize)) {
    words.push_back("-O" + level);
  }
  if (line.has(Option::HostDebug)) {
    words.push_back("-g");
  }
  if (line.has(Option::Profile)) {
    words.push_back("-pg");
  }
  if (line.has(Option::Shared)) {
    words.push_back("-fPIC");
  }
  append(&words, line.host_arguments);
  append_message_choices(&words, line);
  words.push_back(source.path);
  append_dependencies(&words, line);
  words.push_back(line.has(Option::Preprocess) ? "-E" : "-c");
  return words;
}

std::vector<std::string> link_arguments(const CompileSettings &settings, const std::vector<std::string> &objects,
                                        const std::string &output) {
  const CommandLine &line = settings.line;
  Words words;
  append_host_compiler(&words, line);
  append(&words, line.host_arguments);
  for (Option option : {Option::Shared, Option::RelocatableLink, Option::Profile}) {
    if (line.has(option)) {
      words.push_back(option == Option::Shared ? "-shared" : option == Option::Profile ? "-pg" : "-r");
    }
  }
  append(&words, objects);
  append_each(&words, "-L", line.values(Option::LibraryPath));
  words.push_back("-L" + settings.toolkit.lib());
  append_each(&words, "-Xlinker", line.linker_arguments);
  for (const std::string &library : line.values(Option::Library)) {
    words.push_back("-l" + library);
  }
  if (line.value(Option::Cudart) != "none" && !line.has(Option::RelocatableLink)) {
    append(&words, {"-lhelicon", "-Wl,-rpath," + settings.toolkit.lib()});
  }
  append(&words, {"-o", output});
  return words;
}

}  // namespace hel::cc
