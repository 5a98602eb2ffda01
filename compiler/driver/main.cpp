// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mcc: compiles CUDA C++ (.cu) and MUSA C++ (.mu). The way through this folder:
//   options (words to data) -> plan (what to do) -> compile_job and link_job (do it)
#include "compiler/driver/cccl.h"
#include "compiler/driver/build_system_lines.h"
#include "compiler/driver/files.h"
#include "compiler/driver/link_job.h"
#include "compiler/driver/plan.h"
#include "compiler/frontend/source_unit.h"

#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hel::cc {
namespace {

void print_version() {
  printf("mcc: Helicon compiler driver for CUDA C++ and MUSA C++, version %s\n"
         "Compatible with the command line of:\n"
         "nvcc: NVIDIA (R) Cuda compiler driver\n"
         "Cuda compilation tools, release 13.0, V13.0.88\n"
         "Build helicon_%s.llvm_22\n",
         HELICON_VERSION, HELICON_VERSION);
}

/// Options that print something and end. True when there was one.
bool print_information(const CommandLine &line) {
  if (line.has(Option::Help)) {
    fputs(help_text().c_str(), stdout);
  } else if (line.has(Option::Version)) {
    print_version();
  } else if (line.has(Option::ListGpuArch)) {
    fputs(list_archs("compute_").c_str(), stdout);
  } else if (line.has(Option::ListGpuCode)) {
    fputs(list_archs("sm_").c_str(), stdout);
  } else {
    return false;
  }
  return true;
}

/// A digest of what makes this translation unit different from others: its path, its output and the options.
std::string unit_id(const CommandLine &line, const CompileJob &job) {
  std::string text = absolute_path(job.source.path) + '\n';
  for (Option option : {Option::Define, Option::Undefine, Option::Include, Option::Std, Option::Output}) {
    for (const std::string &value : line.values(option)) {
      text += value + '\n';
    }
  }
  return format("%016llx", static_cast<unsigned long long>(llvm::xxh3_64bits(text)));
}

/// Prints what has not been printed yet. Diagnostics of the device code come with a place of their own.
void print_failure(const Failure &failure) {
  const std::string &message = failure.message;
  if (message.empty()) {
    return;
  }
  size_t error = message.find(": error: ");
  bool has_place = error != std::string::npos && message.substr(0, error).find(": ") == std::string::npos;
  const char *kind = failure.kind == FailureKind::Internal ? "internal error" : "error";
  if (has_place) {
    fprintf(stderr, "%s\n", message.c_str());
  } else {
    fprintf(stderr, "mcc: %s: %s\n", kind, message.c_str());
  }
}

/// Runs the jobs one after the other. Every job is tried; failures are printed as they come.
bool run_in_turn(const CompileSettings &settings, const std::vector<CompileJob> &jobs, Steps *steps) {
  bool is_done = true;
  for (const CompileJob &job : jobs) {
    Result<void> result = run_compile_job(settings, job, steps);
    if (!result) {
      print_failure(result.failure());
      is_done = false;
    }
  }
  return is_done;
}

/// Runs each job in a process of its own, `threads` at a time.
bool run_side_by_side(const CompileSettings &settings, const std::vector<CompileJob> &jobs, unsigned threads, Steps *steps) {
  size_t next = 0;
  size_t running = 0;
  bool is_done = true;
  fflush(nullptr);
  while (next < jobs.size() || running > 0) {
    if (next < jobs.size() && running < threads) {
      pid_t child = fork();
      if (child == 0) {
        bool is_job_done = run_in_turn(settings, {jobs[next]}, steps);
        fflush(nullptr);
        _exit(is_job_done ? 0 : 1);
      }
      if (child < 0) {
        return run_in_turn(settings, {jobs.begin() + static_cast<ptrdiff_t>(next), jobs.end()}, steps) && is_done;
      }
      ++next;
      ++running;
      continue;
    }
    int status = 0;
    if (wait(&status) > 0) {
      is_done &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
      --running;
    }
  }
  return is_done;
}

/// More room on the stack while it lives, for what clang does by recursion: an expression may be nested as deep as clang's
/// own limit, which counts on more than the usual eight megabytes. A process's first stack can grow by 128 in any case.
class DeepStack {
public:
  DeepStack() {
    getrlimit(RLIMIT_STACK, &before_);
    rlimit more = before_;
    more.rlim_cur = std::max(before_.rlim_cur, std::min<rlim_t>(before_.rlim_max, kBytes));
    setrlimit(RLIMIT_STACK, &more);
  }
  ~DeepStack() { setrlimit(RLIMIT_STACK, &before_); }
  DeepStack(const DeepStack &) = delete;
  DeepStack &operator=(const DeepStack &) = delete;

private:
  static constexpr rlim_t kBytes = 96 << 20;
  rlimit before_;
};

Result<void> run_jobs(const CompileSettings &settings, const std::vector<CompileJob> &jobs, unsigned threads, Steps *steps) {
  DeepStack deep_stack;
  bool is_serial = threads <= 1 || jobs.size() <= 1;
  bool is_done = is_serial ? run_in_turn(settings, jobs, steps) : run_side_by_side(settings, jobs, threads, steps);
  if (!is_done) {
    return already_reported();
  }
  return {};
}

unsigned thread_count(const CommandLine &line) {
  if (!line.has(Option::Threads)) {
    return 1;
  }
  int wanted = atoi(line.value(Option::Threads).c_str());
  return wanted > 0 ? static_cast<unsigned>(wanted) : std::thread::hardware_concurrency();
}

/// Runs the program; its exit code is ours.
int run_program(const CommandLine &line, const Toolkit &toolkit, const std::string &program, Steps *steps) {
  std::vector<std::string> words = {program.find('/') == std::string::npos ? "./" + program : program};
  for (const std::string &argument : line.values(Option::RunArgs)) {
    words.push_back(argument);
  }
  steps->print(words);
  if (steps->is_dry()) {
    return 0;
  }
  const char *old = getenv("LD_LIBRARY_PATH");
  setenv("LD_LIBRARY_PATH", (toolkit.lib() + (old && *old ? ":" + std::string(old) : "")).c_str(), 1);
  std::vector<char *> argv;
  for (std::string &word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    execv(argv[0], argv.data());
    fprintf(stderr, "mcc: error: '%s' cannot be run: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// --clean: removes what the plan would make.
void remove_outputs(const Plan &plan) {
  for (const CompileJob &job : plan.compile) {
    remove_regular_file(job.output);
  }
  remove_regular_file(plan.output);
}

/// Prefix of the intermediate files of a source under -keep.
std::string keep_prefix(const CommandLine &line, const Source &source) {
  if (!line.has(Option::Keep) && !line.has(Option::SaveTemps)) {
    return "";
  }
  return line.value(Option::KeepDir, ".") + "/" + stem_of(source.path);
}

/// Paths that the command line names and nobody else looks at.
Result<void> check_paths(const CommandLine &line) {
  if (line.has(Option::KeepDir)) {
    HEL_TRY(check_output(line.value(Option::KeepDir) + "/x"));
  }
  std::string compiler = line.value(Option::CompilerBindir);
  if (compiler.find('/') != std::string::npos && access(compiler.c_str(), F_OK) != 0) {
    return HEL_FAIL(1, "the host compiler '%s' does not exist", compiler.c_str());
  }
  return {};
}

/// What happens to the objects.
Result<void> finish(const CompileSettings &settings, const Plan &plan, Steps *steps) {
  switch (plan.goal) {
  case Goal::Objects:
    return {};
  case Goal::Program:
    HEL_TRY(link_objects(settings, plan.objects, plan.output, steps));
    print_link_line(settings, plan.objects, plan.output);
    return {};
  case Goal::Library:
    return write_library(plan.objects, plan.output, steps);
  case Goal::DeviceLink:
    // Device code is linked when the program is loaded; what a build system expects is an object to pass on.
    CompileJob empty{{"/dev/null", SourceLanguage::C, "0"}, Product::Object, plan.output, false, ""};
    return run_compile_job(settings, empty, steps);
  }
  return {};
}

/// The whole command. The value is the exit code.
Result<int> run_command(const std::vector<std::string> &words) {
  CommandLine line = HEL_TRY(parse_command_line(words));
  if (print_information(line)) {
    return 0;
  }
  Toolkit toolkit = find_toolkit();
  print_toolkit_lines(line, toolkit);
  HEL_TRY(check_paths(line));
  TemporaryFolder folder;
  std::string beside = line.has(Option::TemporaryBesideObject) ? line.value(Option::OutputDirectory, ".") : "";
  bool only_objects = line.has(Option::Compile) || line.has(Option::DeviceC) || line.has(Option::DeviceW);
  if (!only_objects) {
    HEL_TRY(folder.create(beside));
  }
  auto temporary = [](void *f, const std::string &name) { return static_cast<TemporaryFolder *>(f)->file(name); };
  Plan plan = HEL_TRY(make_plan(line, temporary, &folder));
  if (line.has(Option::Clean)) {
    remove_outputs(plan);
    return 0;
  }
  CompileSettings settings{line, toolkit, HEL_TRY(choose_arch(line)), HEL_TRY(find_cccl(toolkit, line)), plan.is_relocatable};
  if (settings.arch.is_old && !line.has(Option::NoWarnDeprecatedGpu) && !line.has(Option::NoWarnings)) {
    fprintf(stderr, "mcc: warning: architecture '%s' is older than any of CUDA 13; its code is compiled all the same\n",
            settings.arch.old_name.c_str());
  }
  for (CompileJob &job : plan.compile) {
    job.source.unit_id = unit_id(line, job);
    job.keep = keep_prefix(line, job.source);
  }
  Steps steps(line);
  HEL_TRY(run_jobs(settings, plan.compile, thread_count(line), &steps));
  HEL_TRY(finish(settings, plan, &steps));
  steps.write_times();
  return plan.runs_program ? run_program(line, toolkit, plan.output, &steps) : 0;
}

/// The words of an environment variable, as a shell would split them.
std::vector<std::string> environment_words(const char *name) {
  const char *text = getenv(name);
  return text ? split_words(text) : std::vector<std::string>();
}

std::vector<std::string> all_words(int argc, char **argv) {
  std::vector<std::string> words = environment_words("NVCC_PREPEND_FLAGS");
  words.insert(words.end(), argv + 1, argv + argc);
  std::vector<std::string> appended = environment_words("NVCC_APPEND_FLAGS");
  words.insert(words.end(), appended.begin(), appended.end());
  const char *compiler = getenv("NVCC_CCBIN");
  bool has_compiler = false;
  for (const std::string &word : words) {
    has_compiler |= word.find("-ccbin") != std::string::npos || word.find("-compiler-bindir") != std::string::npos;
  }
  if (compiler && *compiler && !has_compiler) {
    words.push_back(std::string("-ccbin=") + compiler);
  }
  return words;
}

}  // namespace
}  // namespace hel::cc

int main(int argc, char **argv) {
  hel::Result<int> result = hel::cc::run_command(hel::cc::all_words(argc, argv));
  if (result) {
    return result.value();
  }
  hel::cc::print_failure(result.failure());
  return 1;
}
