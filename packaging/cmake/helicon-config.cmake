# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(helicon): the run-time library as helicon::helicon, the compiler as HELICON_MCC, for projects that compile
# their device code by hand. Projects with the CUDA language need only the toolchain file, or CUDACXX=P/bin/nvcc.
get_filename_component(HELICON_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HELICON_MCC "${HELICON_ROOT}/bin/mcc")
if(NOT TARGET helicon::helicon)
  add_library(helicon::helicon SHARED IMPORTED)
  set_target_properties(helicon::helicon PROPERTIES
    IMPORTED_LOCATION "${HELICON_ROOT}/lib/libhelicon.so.0"
    IMPORTED_SONAME libhelicon.so.0
    INTERFACE_INCLUDE_DIRECTORIES "${HELICON_ROOT}/include")
endif()
