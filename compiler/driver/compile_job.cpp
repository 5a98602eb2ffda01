// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/compile_job.h"

#include "compiler/compile.h"
#include "compiler/driver/files.h"
#include "compiler/frontend/module_text.h"
#include "compiler/frontend/source_unit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <cstdio>

namespace hel::cc {
namespace {

bool holds(const std::vector<std::string> &words, const char *word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The numbers are nvcc's for the same warnings.
HookRules hook_rules(const CompileSettings &settings, const Source &source) {
  const CommandLine &line = settings.line;
  const std::vector<std::string> &hidden = line.values(Option::DiagSuppress);
  HookRules rules;
  rules.arch = settings.arch.number / 10;
  rules.hides_host_calls = holds(hidden, "20011") || holds(hidden, "20014");
  rules.hides_shared_inits = holds(hidden, "20054");
  rules.hides_externals = holds(hidden, "20044");
  rules.refuses_host_calls = holds(line.values(Option::WarningsAsErrors), "cross-execution-space-call") ||
                             holds(line.values(Option::DiagError), "20011") ||
                             holds(line.values(Option::DiagError), "20014");
  if (source.language == SourceLanguage::Musa) {
    rules.cuda_code = settings.cccl;
    rules.macros_of_cuda_code = macros_of_cuda_code(settings);
  }
  return rules;
}

class Job {
public:
  Job(const CompileSettings &settings, const CompileJob &job, Steps *steps)
      : settings_(settings), job_(job), steps_(*steps), unit_(hook_rules(settings, job.source)) {}

  Result<void> run() {
    Result<void> result = has_device_code(job_.source) ? run_two_passes() : run_plain();
    unit_.print_summary();
    return result;
  }

private:
  Result<void> run_plain() {
    if (job_.product == Product::Ptx || job_.product == Product::Image || job_.product == Product::SimtIr) {
      return HEL_FAIL(1, "'%s' has no device code to write", job_.source.path.c_str());
    }
    if (job_.product == Product::DeviceCheck) {
      return {};
    }
    std::vector<std::string> cc1 = HEL_TRY(host_cc1());
    print(cc1);
    if (steps_.is_dry()) {
      return {};
    }
    Steps::Timer timer(steps_, "compile", job_.source.path, job_.output);
    return unit_.plain_pass(cc1);
  }

  Result<void> run_two_passes() {
    std::vector<std::string> device = HEL_TRY(device_cc1());
    if (job_.product == Product::Text) {
      print(device);
      return steps_.is_dry() ? Result<void>() : unit_.plain_pass(device);
    }
    bool wants_host = job_.product == Product::Object || job_.product == Product::Nothing;
    std::vector<std::string> host;
    if (wants_host) {
      host = HEL_TRY(host_cc1());
    }
    print(device);
    if (wants_host) {
      print(host);
    }
    if (steps_.is_dry()) {
      return {};
    }
    DeviceModule module = HEL_TRY(run_device_pass(device));
    if (job_.product == Product::DeviceCheck) {
      return {};
    }
    if (!wants_host) {
      return write_device_code(&module);
    }
    HostRules rules;
    rules.embedding = settings_.relocatable ? Embedding::Relocatable : Embedding::Registered;
    rules.per_thread_stream = has_per_thread_stream(settings_.line);
    rules.toolkit_lib = settings_.toolkit.lib();
    rules.symbols = device_symbols(*module.module);
    std::vector<uint8_t> container;
    if (job_.product == Product::Object) {
      container = HEL_TRY(make_container(&module));
    }
    Steps::Timer timer(steps_, "host pass", job_.source.path, job_.output);
    return unit_.host_pass(host, rules, std::move(container));
  }

  Result<DeviceModule> run_device_pass(const std::vector<std::string> &cc1) {
    Steps::Timer timer(steps_, "device pass", job_.source.path, "");
    DeviceModule module = HEL_TRY(unit_.device_pass(cc1));
    const CommandLine &line = settings_.line;
    const std::vector<std::string> &assembler = line.values(Option::XPtxas);
    if (line.has(Option::ResourceUsage) || holds(assembler, "-v") || holds(assembler, "--verbose")) {
      fputs(resource_report(*module.module).c_str(), stderr);
    }
    if (!job_.keep.empty()) {
      std::string text = ir_text(*module.module);
      HEL_TRY(write_file(job_.keep + ".ll", text.data(), text.size()));
    }
    return module;
  }

  Result<void> write_device_code(DeviceModule *module) {
    if (job_.product == Product::Image) {
      std::vector<uint8_t> container = HEL_TRY(make_container(module));
      return write_file(job_.output, container);
    }
    CompileOptions options = compile_options();
    options.gpu = settings_.arch.ptx_target;
    std::string text = job_.product == Product::Ptx ? HEL_TRY(compile_to_ptx(write_bitcode(*module->module), options))
                                                    : ir_text(*module->module);
    return write_file(job_.output, text.data(), text.size());
  }

  CompileOptions compile_options() const {
    const CommandLine &line = settings_.line;
    CompileOptions options;
    options.cpu = line.has(Option::DeviceCpu) ? llvm::join(line.values(Option::DeviceCpu), ",") : "native";
    options.debug = line.has(Option::DeviceDebug) && !line.has(Option::DeviceOptimize);
    options.optimise = options.debug ? 0 : 3;
    options.line_info = line.has(Option::LineInfo) || line.has(Option::DeviceDebug);
    options.relocatable = settings_.relocatable;
    options.language =
        job_.source.language == SourceLanguage::Musa ? abi::ImageLanguage::Musa : abi::ImageLanguage::Cuda;
    options.module_id = job_.source.unit_id;
    options.source_name = job_.source.path;
    options.gpu = line.has(Option::NoGpuCode) ? "" : settings_.arch.ptx_target;
    return options;
  }

  Result<std::vector<uint8_t>> make_container(DeviceModule *module) {
    Steps::Timer timer(steps_, "device code", job_.source.path, "");
    CompileOptions options = compile_options();
    std::string warnings;
    options.warnings = &warnings;
    std::unique_ptr<llvm::Module> owned(module->module.release());
    Result<std::vector<uint8_t>> container = compile_device(std::move(owned), options);
    if (!settings_.line.has(Option::NoWarnings)) {
      fputs(warnings.c_str(), stderr);
    }
    if (container && !job_.keep.empty()) {
      HEL_TRY(write_file(job_.keep + ".fatbin", container.value()));
    }
    return container;
  }

  Result<std::vector<std::string>> device_cc1() { return cc1_of(device_arguments(settings_, job_.source)); }

  Result<std::vector<std::string>> host_cc1() {
    std::vector<std::string> words = host_arguments(settings_, job_.source);
    const CommandLine &line = settings_.line;
    bool writes_rule = line.has(Option::DependenciesToo) || line.has(Option::UserDependenciesToo);
    if (writes_rule && job_.is_temporary) {  // the rule is about the source, not about the object that goes away
      std::string stem = stem_of(job_.source.path);
      if (!line.has(Option::DependencyOutput)) {
        words.insert(words.end(), {"-MF", stem + ".d"});
      }
      if (!line.has(Option::DependencyTarget) && !line.has(Option::DependencyQuotedTarget)) {
        words.insert(words.end(), {"-MT", line.value(Option::Output, "a.out")});
      }
    }
    return cc1_of(std::move(words));
  }

  Result<std::vector<std::string>> cc1_of(std::vector<std::string> words) {
    words.insert(words.end(), {"-o", job_.output.empty() ? "-" : job_.output});
    std::vector<std::string> cc1 = HEL_TRY(cc1_arguments(settings_.toolkit, words));
    for (std::string &word : cc1) {
      if (job_.product == Product::Nothing && word == "-emit-obj") {
        word = "-fsyntax-only";
      }
    }
    return cc1;
  }

  /// Shows a compilation as a command.
  void print(const std::vector<std::string> &cc1) {
    std::vector<std::string> words = {"mcc", "-cc1"};
    words.insert(words.end(), cc1.begin(), cc1.end());
    steps_.print(words);
  }

  const CompileSettings &settings_;
  const CompileJob &job_;
  Steps &steps_;
  SourceUnit unit_;
};

}  // namespace

Result<void> run_compile_job(const CompileSettings &settings, const CompileJob &job, Steps *steps) {
  Result<void> result = Job(settings, job, steps).run();
  if (!result && !steps->is_dry()) {
    remove_regular_file(job.output);  // an old output must not pass for a new one
  }
  return result;
}

}  // namespace hel::cc
