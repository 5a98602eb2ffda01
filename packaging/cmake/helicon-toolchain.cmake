# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DCMAKE_TOOLCHAIN_FILE=P/lib/cmake/helicon/helicon-toolchain.cmake …
# makes P's mcc the CUDA compiler and P the CUDA toolkit of a project, whatever else is on the machine.
get_filename_component(HELICON_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(CMAKE_CUDA_COMPILER "${HELICON_ROOT}/bin/nvcc")
set(CUDAToolkit_ROOT "${HELICON_ROOT}")
list(PREPEND CMAKE_PREFIX_PATH "${HELICON_ROOT}")
# The old FindCUDA module and scripts of projects look here.
set(CUDA_TOOLKIT_ROOT_DIR "${HELICON_ROOT}" CACHE PATH "The CUDA toolkit")
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
