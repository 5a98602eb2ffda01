// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/plan.h"

#include "compiler/driver/files.h"

#include <cstring>

namespace hel::cc {
namespace {

/// A phase option, what it makes of a source and the ending of its output.
struct PhaseRow {
  Option option;
  Goal goal;
  Product product;
  const char *extension;
};

constexpr PhaseRow kPhases[] = {
    {Option::Compile, Goal::Objects, Product::Object, ".o"},
    {Option::DeviceC, Goal::Objects, Product::Object, ".o"},
    {Option::DeviceW, Goal::Objects, Product::Object, ".o"},
    {Option::Ptx, Goal::Objects, Product::Ptx, ".ptx"},
    {Option::Cubin, Goal::Objects, Product::Image, ".cubin"},
    {Option::Fatbin, Goal::Objects, Product::Image, ".fatbin"},
    {Option::DeviceOnly, Goal::Objects, Product::Image, ".fatbin"},
    {Option::SimtIr, Goal::Objects, Product::SimtIr, ".ll"},
    {Option::SyntaxOnly, Goal::Objects, Product::Nothing, ""},
    {Option::DeviceSyntaxOnly, Goal::Objects, Product::DeviceCheck, ""},
    {Option::Preprocess, Goal::Objects, Product::Text, ""},
    {Option::Dependencies, Goal::Objects, Product::Text, ""},
    {Option::UserDependencies, Goal::Objects, Product::Text, ""},
    {Option::DeviceLink, Goal::DeviceLink, Product::Object, ".o"},
    {Option::Lib, Goal::Library, Product::Object, ".o"},
    {Option::Link, Goal::Program, Product::Object, ".o"},
    {Option::Run, Goal::Program, Product::Object, ".o"},
};

constexpr PhaseRow kDefaultPhase = {Option::Link, Goal::Program, Product::Object, ".o"};

struct EndingRow {
  const char *ending;
  const char *language;  ///< as -x says it; "object" for the linker
};

constexpr EndingRow kEndings[] = {
    {".cu", "cu"},   {".mu", "mu"},  {".cpp", "c++"},  {".cc", "c++"},     {".cxx", "c++"},   {".C", "c++"},      {".c++", "c++"},
    {".ii", "c++"},  {".c", "c"},    {".i", "c"},      {".o", "object"},   {".obj", "object"}, {".a", "object"},  {".so", "object"},
    {".lo", "object"}, {".lib", "object"}, {".ptx", "ptx"}, {".cubin", "image"}, {".fatbin", "image"}, {".gpu", "image"},
};

/// The language of an input, as -x would name it; empty when its ending says nothing.
std::string language_of(const InputFile &input) {
  if (!input.language.empty()) {
    return input.language;
  }
  std::string ending = extension_of(input.path);
  for (const EndingRow &row : kEndings) {
    if (ending == row.ending) {
      return row.language;
    }
  }
  return input.path.find(".so.") != std::string::npos ? "object" : "";
}

Result<SourceLanguage> source_language(const std::string &language, const std::string &path) {
  if (language == "cu" || language == "cuda") {
    return SourceLanguage::Cuda;
  }
  if (language == "mu" || language == "musa") {
    return SourceLanguage::Musa;
  }
  if (language == "c++") {
    return SourceLanguage::Cxx;
  }
  if (language == "c") {
    return SourceLanguage::C;
  }
  if (language == "ptx") {
    return HEL_FAIL_KIND(1, Unsupported, "PTX input is not supported yet: '%s'", path.c_str());
  }
  if (language == "image") {
    return HEL_FAIL_KIND(1, Unsupported, "a device image is no input of a compilation: '%s'", path.c_str());
  }
  return HEL_FAIL(1, "don't know what to do with '%s'", path.c_str());
}

/// The phase that the options name. -c with -dc agree; other pairs contradict each other.
Result<PhaseRow> choose_phase(const CommandLine &line) {
  PhaseRow chosen = kDefaultPhase;
  bool has_phase = false;
  for (const PhaseRow &row : kPhases) {
    if (!line.has(row.option)) {
      continue;
    }
    bool agrees = !has_phase || (row.product == chosen.product && row.goal == chosen.goal);
    bool is_text_of = row.product == Product::Text || (has_phase && chosen.option == Option::Compile);  // -c -E, -c -ptx
    if (!agrees && !is_text_of) {
      return HEL_FAIL(1, "the options name more than one thing to do");
    }
    chosen = row;
    has_phase = true;
  }
  return chosen;
}

class Planner {
public:
  Planner(const CommandLine &line, std::string (*temporary)(void *, const std::string &), void *folder)
      : line_(line), temporary_(temporary), folder_(folder) {}

  Result<Plan> run() {
    phase_ = HEL_TRY(choose_phase(line_));
    plan_.goal = phase_.goal;
    plan_.runs_program = line_.has(Option::Run);
    plan_.is_relocatable = line_.has(Option::DeviceC) || line_.has(Option::GpuRdc) ||
                           (line_.is_true(Option::Rdc, false) && !line_.has(Option::DeviceW));
    if (line_.inputs.empty()) {
      return HEL_FAIL(1, "no input files; --help lists the options");
    }
    HEL_TRY(check_output_count());
    for (const InputFile &input : line_.inputs) {
      HEL_TRY(add_input(input));
    }
    HEL_TRY(name_link_output());
    return std::move(plan_);
  }

private:
  Result<void> check_output_count() {
    if (plan_.goal == Goal::Objects && line_.inputs.size() > 1 && line_.has(Option::Output)) {
      return HEL_FAIL(1, "a single input file is required for a non-link phase when an output file is given");
    }
    return {};
  }

  Result<void> add_input(const InputFile &input) {
    std::string language = language_of(input);
    HEL_TRY(check_input(input.path));
    if (language == "object") {
      if (plan_.goal != Goal::Objects) {
        plan_.objects.push_back(input.path);
        return {};
      }
      return HEL_FAIL(1, "the object file '%s' is no input of this phase", input.path.c_str());
    }
    CompileJob job;
    job.source.path = input.path;
    job.source.language = HEL_TRY(source_language(language, input.path));
    job.product = phase_.product;
    job.output = output_of(input.path);
    job.is_temporary = plan_.goal != Goal::Objects;
    if (!job.output.empty() && plan_.goal == Goal::Objects && job.product != Product::Nothing) {
      HEL_TRY(check_output(job.output));
      if (absolute_path(job.output) == absolute_path(input.path)) {
        return HEL_FAIL(1, "the output '%s' is the same file as an input", job.output.c_str());
      }
    }
    if (plan_.goal != Goal::Objects) {
      plan_.objects.push_back(job.output);
    }
    plan_.compile.push_back(std::move(job));
    return {};
  }

  /// Where the product of a source goes.
  std::string output_of(const std::string &path) {
    if (plan_.goal != Goal::Objects) {
      return temporary_(folder_, temporary_name(stem_of(path)));
    }
    if (line_.has(Option::Output) || phase_.product == Product::Text) {
      return line_.value(Option::Output);
    }
    if (phase_.extension[0] == '\0') {
      return "";
    }
    return in_output_directory(stem_of(path) + phase_.extension);
  }

  /// a.cu and d/a.cu need different names; the first keeps its own, which a library shows.
  std::string temporary_name(const std::string &stem) {
    for (const CompileJob &job : plan_.compile) {
      if (stem_of(job.source.path) == stem) {
        return format("%s-%zu.o", stem.c_str(), plan_.compile.size());
      }
    }
    return stem + ".o";
  }

  std::string in_output_directory(const std::string &name) {
    return line_.has(Option::OutputDirectory) ? line_.value(Option::OutputDirectory) + "/" + name : name;
  }

  Result<void> name_link_output() {
    if (plan_.goal == Goal::Objects) {
      return {};
    }
    const char *standard = plan_.goal == Goal::DeviceLink ? "a_dlink.o" : plan_.goal == Goal::Library ? "a.a" : "a.out";
    plan_.output = line_.has(Option::Output) ? line_.value(Option::Output) : in_output_directory(standard);
    for (const std::string &object : plan_.objects) {
      if (absolute_path(object) == absolute_path(plan_.output)) {
        return HEL_FAIL(1, "the output '%s' is the same file as an input", plan_.output.c_str());
      }
    }
    for (const CompileJob &job : plan_.compile) {
      if (absolute_path(job.source.path) == absolute_path(plan_.output)) {
        return HEL_FAIL(1, "the output '%s' is the same file as an input", plan_.output.c_str());
      }
    }
    return check_output(plan_.output);
  }

  const CommandLine &line_;
  std::string (*temporary_)(void *, const std::string &);
  void *folder_;
  PhaseRow phase_ = kDefaultPhase;
  Plan plan_;
};

}  // namespace

Result<Plan> make_plan(const CommandLine &line, std::string (*temporary)(void *folder, const std::string &name), void *folder) {
  return Planner(line, temporary, folder).run();
}

}  // namespace hel::cc
