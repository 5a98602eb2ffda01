# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Unit tests beside the source: hel_unit_test(name x_test.cpp … LIBS hel_base …).
#
# Each one is a GoogleTest program in build/unit, built by the target `unit_tests` (not by `all`) and known to ctest
# as <name>.<Suite>.<Case>. The sources are recorded in build/unit/sources.tsv, from which `./dev status` reads
# what a test covers.
find_package(GTest)
include(GoogleTest)
add_custom_target(unit_tests)
file(WRITE ${CMAKE_BINARY_DIR}/unit/sources.tsv "")

function(hel_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  if(NOT GTest_FOUND)
    return()
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} GTest::gtest GTest::gtest_main Threads::Threads)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unit)
  add_dependencies(unit_tests ${name})
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit TIMEOUT 120)
  foreach(source ${arg_UNPARSED_ARGUMENTS})
    get_filename_component(path ${source} ABSOLUTE)
    file(APPEND ${CMAKE_BINARY_DIR}/unit/sources.tsv "${name}\t${path}\n")
  endforeach()
endfunction()
