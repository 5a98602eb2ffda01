// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/options.h"

#include <gtest/gtest.h>

namespace hel::cc {
namespace {

using Words = std::vector<std::string>;

CommandLine parsed(const Words &words) {
  Result<CommandLine> result = parse_command_line(words);
  EXPECT_TRUE(static_cast<bool>(result)) << (result ? "" : result.failure().message);
  return result ? result.take() : CommandLine();
}

std::string failure_of(const Words &words) {
  Result<CommandLine> result = parse_command_line(words);
  return result ? "" : result.failure().message;
}

TEST(Options, LongAndShortNamesWithOneOrTwoDashesAreTheSame) {
  for (const char *word : {"-c", "--c", "-compile", "--compile"}) {
    EXPECT_TRUE(parsed({word}).has(Option::Compile)) << word;
  }
}

TEST(Options, ValuesComeAfterASpaceOrAnEqualsSign) {
  EXPECT_EQ(parsed({"-arch", "sm_75"}).value(Option::Arch), "sm_75");
  EXPECT_EQ(parsed({"-arch=sm_75"}).value(Option::Arch), "sm_75");
  EXPECT_EQ(parsed({"--gpu-architecture=sm_75"}).value(Option::Arch), "sm_75");
  EXPECT_EQ(parsed({"--generate-code", "arch=compute_90,code=sm_90"}).value(Option::Gencode), "arch=compute_90,code=sm_90");
}

TEST(Options, OneLetterOptionsTakeTheirValueInTheSameWord) {
  CommandLine line = parsed({"-Ia", "-I", "b,c", "-DX=1,2", "-O3", "-lm", "-Ld", "-xcu", "-t4"});
  EXPECT_EQ(line.values(Option::Include), (Words{"a", "b", "c"}));
  EXPECT_EQ(line.value(Option::Define), "X=1,2");
  EXPECT_EQ(line.value(Option::Optimize), "3");
  EXPECT_EQ(line.value(Option::Library), "m");
  EXPECT_EQ(line.value(Option::LibraryPath), "d");
  EXPECT_EQ(line.value(Option::Language), "cu");
  EXPECT_EQ(line.value(Option::Threads), "4");
}

TEST(Options, WholeNamesWinOverJoinedValues) {
  CommandLine line = parsed({"-odir", "x", "-optf=/dev/null", "-lib", "-lineinfo", "-time", "t", "-Ofc", "0"});
  EXPECT_EQ(line.value(Option::OutputDirectory), "x");
  EXPECT_TRUE(line.has(Option::Lib));
  EXPECT_TRUE(line.has(Option::LineInfo));
  EXPECT_FALSE(line.has(Option::Library));
}

TEST(Options, BooleansTakeAnOptionalValue) {
  EXPECT_TRUE(parsed({"-rdc=true"}).is_true(Option::Rdc, false));
  EXPECT_TRUE(parsed({"-rdc", "true"}).is_true(Option::Rdc, false));
  EXPECT_FALSE(parsed({"--relocatable-device-code=false"}).is_true(Option::Rdc, true));
  EXPECT_TRUE(parsed({"-ftz", "a.cu"}).is_true(Option::Ftz, false));
  EXPECT_TRUE(parsed({}).is_true(Option::Fmad, true));
  EXPECT_EQ(failure_of({"-rdc=yes"}), "value 'yes' is not defined for option 'rdc'");
}

TEST(Options, HostOptionsAreSplitAtCommasBlanksAndKeptInQuotes) {
  EXPECT_EQ(parsed({"-Xcompiler", "-fPIC,-Wall"}).host_arguments, (Words{"-fPIC", "-Wall"}));
  EXPECT_EQ(parsed({"-Xcompiler=-O2 -g"}).host_arguments, (Words{"-O2", "-g"}));
  EXPECT_EQ(parsed({"-Xcompiler", "\"-DA=1,2\""}).host_arguments, (Words{"-DA=1,2"}));
  EXPECT_EQ(parsed({"-Xcompiler", "\"-Wl,-rpath,/x\""}).linker_arguments, (Words{"-rpath", "/x"}));
  EXPECT_EQ(parsed({"-Wall", "-fPIC", "-march=native", "-pthread"}).host_arguments, (Words{"-Wall", "-fPIC", "-march=native", "-pthread"}));
}

TEST(Options, UnknownOptionsAreNamed) {
  EXPECT_EQ(failure_of({"--foo"}), "unknown option '--foo'");
  EXPECT_EQ(failure_of({"-q"}), "unknown option '-q'");
  EXPECT_EQ(parsed({"-q", "-forward-unknown-to-host-compiler"}).host_arguments, (Words{"-q"}));
  EXPECT_EQ(parsed({"-q", "--forward-unknown-to-host-linker"}).linker_arguments, (Words{"-q"}));
}

TEST(Options, WrongUsesAreNamed) {
  EXPECT_EQ(failure_of({"a.cu", "-o"}), "argument expected after '-o'");
  EXPECT_EQ(failure_of({"-std=c++99"}), "value 'c++99' is not defined for option 'std'");
  EXPECT_EQ(failure_of({"-c=1"}), "option '-c=1' takes no value");
  EXPECT_NE(failure_of({"-optix-ir"}).find("'-optix-ir' is not supported"), std::string::npos);
  EXPECT_NE(failure_of({"-optf", "/nonexistent"}).find("'/nonexistent'"), std::string::npos);
}

TEST(Options, WerrorTakesAKindOrStandsAlone) {
  EXPECT_EQ(parsed({"-Werror", "all-warnings", "a.cu"}).value(Option::WarningsAsErrors), "all-warnings");
  CommandLine alone = parsed({"-Werror", "a.cu"});
  EXPECT_TRUE(alone.has(Option::WarningsAsErrors));
  EXPECT_EQ(alone.inputs.size(), 1u);
  EXPECT_EQ(parsed({"-Werror=unused"}).host_arguments, (Words{"-Werror=unused"}));
}

TEST(Options, LanguageHoldsForTheInputsThatFollow) {
  CommandLine line = parsed({"a.x", "-x", "cu", "b.x", "-x", "none", "c.cu"});
  ASSERT_EQ(line.inputs.size(), 3u);
  EXPECT_EQ(line.inputs[0].language, "");
  EXPECT_EQ(line.inputs[1].language, "cu");
  EXPECT_EQ(line.inputs[2].language, "");
}

TEST(Options, WordsOfAFileAreSplitAsAShellWould) {
  EXPECT_EQ(split_words("-DA=\"b c\" -I\\ x 'y z'\n-c"), (Words{"-DA=b c", "-I x", "y z", "-c"}));
}

TEST(Options, NamesAreUnique) {
  for (const OptionRow &a : option_rows()) {
    for (const OptionRow &b : option_rows()) {
      bool is_same = &a == &b;
      EXPECT_TRUE(is_same || !a.long_name[0] || std::string(a.long_name) != b.long_name) << a.long_name;
      EXPECT_TRUE(is_same || !a.short_name[0] || std::string(a.short_name) != b.short_name) << a.short_name;
    }
  }
}

}  // namespace
}  // namespace hel::cc
