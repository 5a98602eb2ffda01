// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runner: which stages a setting names, order, and how a run ends.
#include "compiler/pipeline/runner.h"

#include "compiler/codegen/target.h"
#include "compiler/ir/llvm_headers.h"

#include <gtest/gtest.h>

namespace hel::cc {
namespace {

std::string log;

Result<void> first(llvm::Module &, Compilation &) {
  log += "first ";
  return {};
}
Result<void> complain(llvm::Module &, Compilation &c) {
  log += "complain ";
  c.diagnostics.error("one thing");
  c.diagnostics.error("another thing");
  return {};
}
Result<void> fail(llvm::Module &, Compilation &) { return HEL_FAIL(CompileCode::Internal, "broken"); }

class Runner : public testing::Test {
protected:
  Runner() : target(make_target_machine({"x86-64-v2", ""}, options).take()), module("m", context) {
    log.clear();
    options.source_name = "a.cu";
  }
  std::unique_ptr<Failure> run(std::vector<Stage> stages) {
    Compilation compilation{options, *target, Diagnostics(options)};
    Result<void> result = run_stages(stages, module, compilation);
    return result ? nullptr : result.take_failure();
  }
  CompileOptions options;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> target;
  llvm::Module module;
};

TEST_F(Runner, RunsInOrder) {
  EXPECT_EQ(run({{"first", first}, {"first", first}}), nullptr);
  EXPECT_EQ(log, "first first ");
}

TEST_F(Runner, ErrorsEndTheRunAfterTheStage) {
  std::unique_ptr<Failure> failure = run({{"complain", complain}, {"first", first}});
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->message, "a.cu: error: one thing\na.cu: error: another thing");
  EXPECT_EQ(failure->code, static_cast<int>(CompileCode::InvalidSource));
  EXPECT_EQ(log, "complain ");
}

TEST_F(Runner, FailuresNameTheStage) {
  std::unique_ptr<Failure> failure = run({{"fail", fail}});
  ASSERT_NE(failure, nullptr);
  EXPECT_NE(failure->message.find("in compiler stage fail"), std::string::npos);
}

TEST(StageLists, NamesAndAll) {
  EXPECT_TRUE(is_listed("all", "tidy"));
  EXPECT_TRUE(is_listed("optimise,tidy", "tidy"));
  EXPECT_FALSE(is_listed("optimise,tidy", "tid"));
  EXPECT_FALSE(is_listed("", "tidy"));
}

TEST(StageNames, AreUnique) {
  llvm::StringSet<> names;
  for (const Stage &stage : compiler_stages()) {
    EXPECT_TRUE(names.insert(stage.name).second) << stage.name;
  }
}

}  // namespace
}  // namespace hel::cc
