// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's functions by name, asked for through the runtime.
#include "helicon/gen/runtime_impl.h"
#include "loader/loader.h"
#include "runtime/core/context.h"

#include <cuda.h>

namespace hel::rt {

Result<void> get_driver_entry_point(const char *symbol, void **funcPtr, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *driverStatus) {
  return get_driver_entry_point_by_version(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}

Result<void> get_driver_entry_point_by_version(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                               unsigned long long flags,
                                               cudaDriverEntryPointQueryResult *driverStatus) {
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  CUresult code = loader::table().GetProcAddress(symbol, funcPtr, static_cast<int>(cudaVersion), flags, &status);
  if (driverStatus != nullptr) {
    *driverStatus = static_cast<cudaDriverEntryPointQueryResult>(status);
  }
  // A name that does not exist is told by *funcPtr and *driverStatus.
  return code == CUDA_ERROR_NOT_FOUND ? Result<void>{} : check(code);
}

Result<void> get_export_table(const void **ppExportTable, const cudaUUID_t *pExportTableId) {
  return check(loader::table().GetExportTable(ppExportTable, reinterpret_cast<const CUuuid *>(pExportTableId)));
}

}  // namespace hel::rt
