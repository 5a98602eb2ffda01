// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points that nobody implements (api/refused.tsv): declared, linkable, and answered with "not supported", so that
// a program which was compiled for them finds out at run time.
// gpu: no (the vendor's driver does what it can with empty arguments)
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && %run %t
// covers: C-1.3.2-01 C-4.22-02
#include "check.h"

#include <cuda.h>
#include <cudaEGL.h>
#include <cudaEGLTypedefs.h>
#include <cudaGL.h>
#include <cudaGLTypedefs.h>
#include <cudaProfiler.h>
#include <cudaVDPAU.h>
#include <cudaVDPAUTypedefs.h>
#include <cuda_egl_interop.h>
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>
#include <cuda_vdpau_interop.h>

static_assert(std::is_same_v<PFN_cuGLGetDevices, decltype(&cuGLGetDevices)>);
static_assert(std::is_same_v<PFN_cuEGLStreamProducerPresentFrame, decltype(&cuEGLStreamProducerPresentFrame)>);
static_assert(std::is_same_v<PFN_cuVDPAUGetDevice, decltype(&cuVDPAUGetDevice)>);

template <typename... Parameters> static CUresult call(CUresult (*function)(Parameters...)) {
  return function(Parameters{}...);
}
template <typename... Parameters> static cudaError_t call(cudaError_t (*function)(Parameters...)) {
  return function(Parameters{}...);
}

static CUresult not_supported(CUresult) { return CUDA_ERROR_NOT_SUPPORTED; }
static cudaError_t not_supported(cudaError_t) { return cudaErrorNotSupported; }

#define REFUSED(function) CHECK_ERROR(call(function), not_supported(call(function)))

static void driver_context() {
  REFUSED(cuGreenCtxCreate);
  REFUSED(cuGreenCtxDestroy);
  REFUSED(cuCtxFromGreenCtx);
  REFUSED(cuDeviceGetDevResource);
  REFUSED(cuCtxGetDevResource);
  REFUSED(cuGreenCtxGetDevResource);
  REFUSED(cuDevSmResourceSplitByCount);
  REFUSED(cuDevResourceGenerateDesc);
  REFUSED(cuGreenCtxRecordEvent);
  REFUSED(cuGreenCtxWaitEvent);
  REFUSED(cuGreenCtxStreamCreate);
  REFUSED(cuGreenCtxGetId);
}

static void driver_device() {
  REFUSED(cuDeviceGetLuid);
  REFUSED(cuDeviceGetNvSciSyncAttributes);
  REFUSED(cuFlushGPUDirectRDMAWrites);
  REFUSED(cuDeviceRegisterAsyncNotification);
  REFUSED(cuDeviceUnregisterAsyncNotification);
}

static void driver_exec() {
  REFUSED(cuLaunchCooperativeKernelMultiDevice);
  REFUSED(cuParamSetTexRef);
}

static void driver_graph_node() {
  REFUSED(cuGraphAddExternalSemaphoresSignalNode);
  REFUSED(cuGraphExternalSemaphoresSignalNodeGetParams);
  REFUSED(cuGraphExternalSemaphoresSignalNodeSetParams);
  REFUSED(cuGraphAddExternalSemaphoresWaitNode);
  REFUSED(cuGraphExternalSemaphoresWaitNodeGetParams);
  REFUSED(cuGraphExternalSemaphoresWaitNodeSetParams);
  REFUSED(cuGraphExecExternalSemaphoresSignalNodeSetParams);
  REFUSED(cuGraphExecExternalSemaphoresWaitNodeSetParams);
}

static void driver_graphics() {
  REFUSED(cuGraphicsUnregisterResource);
  REFUSED(cuGraphicsSubResourceGetMappedArray);
  REFUSED(cuGraphicsResourceGetMappedMipmappedArray);
  REFUSED(cuGraphicsResourceGetMappedPointer);
  REFUSED(cuGraphicsResourceSetMapFlags);
  REFUSED(cuGraphicsMapResources);
  REFUSED(cuGraphicsUnmapResources);
}

static void driver_memory() {
  REFUSED(cuMemGetHandleForAddressRange);
  REFUSED(cuMemBatchDecompressAsync);
}

static void driver_mempool() {
  REFUSED(cuMemPoolExportToShareableHandle);
  REFUSED(cuMemPoolImportFromShareableHandle);
  REFUSED(cuMemPoolExportPointer);
  REFUSED(cuMemPoolImportPointer);
}

static void driver_module() { REFUSED(cuModuleGetSurfRef); }

static void driver_process() {
  REFUSED(cuCoredumpGetAttribute);
  REFUSED(cuCoredumpGetAttributeGlobal);
  REFUSED(cuCoredumpSetAttribute);
  REFUSED(cuCoredumpSetAttributeGlobal);
  REFUSED(cuCheckpointProcessGetRestoreThreadId);
  REFUSED(cuCheckpointProcessGetState);
  REFUSED(cuCheckpointProcessLock);
  REFUSED(cuCheckpointProcessCheckpoint);
  REFUSED(cuCheckpointProcessRestore);
  REFUSED(cuCheckpointProcessUnlock);
  REFUSED(cuProfilerInitialize);
}

static void driver_stream() { REFUSED(cuStreamGetGreenCtx); }

static void driver_texture() {
  REFUSED(cuSurfRefSetArray);
  REFUSED(cuSurfRefGetArray);
  REFUSED(cuTensorMapEncodeTiled);
  REFUSED(cuTensorMapEncodeIm2col);
  REFUSED(cuTensorMapEncodeIm2colWide);
  REFUSED(cuTensorMapReplaceAddress);
}

static void driver_virtual_memory() {
  REFUSED(cuMemMapArrayAsync);
  REFUSED(cuMulticastCreate);
  REFUSED(cuMulticastAddDevice);
  REFUSED(cuMulticastBindMem);
  REFUSED(cuMulticastBindAddr);
  REFUSED(cuMulticastUnbind);
  REFUSED(cuMulticastGetGranularity);
}

static void runtime_array() {
  REFUSED(cudaGraphicsSubResourceGetMappedArray);
  REFUSED(cudaGraphicsResourceGetMappedMipmappedArray);
}

static void runtime_device() {
  REFUSED(cudaDeviceFlushGPUDirectRDMAWrites);
  REFUSED(cudaDeviceRegisterAsyncNotification);
  REFUSED(cudaDeviceUnregisterAsyncNotification);
  REFUSED(cudaDeviceGetNvSciSyncAttributes);
}

static void runtime_external() {
  REFUSED(cudaGraphAddExternalSemaphoresSignalNode);
  REFUSED(cudaGraphExternalSemaphoresSignalNodeGetParams);
  REFUSED(cudaGraphExternalSemaphoresSignalNodeSetParams);
  REFUSED(cudaGraphAddExternalSemaphoresWaitNode);
  REFUSED(cudaGraphExternalSemaphoresWaitNodeGetParams);
  REFUSED(cudaGraphExternalSemaphoresWaitNodeSetParams);
  REFUSED(cudaGraphExecExternalSemaphoresSignalNodeSetParams);
  REFUSED(cudaGraphExecExternalSemaphoresWaitNodeSetParams);
}

static void runtime_graphics() {
  REFUSED(cudaGraphicsUnregisterResource);
  REFUSED(cudaGraphicsResourceSetMapFlags);
  REFUSED(cudaGraphicsMapResources);
  REFUSED(cudaGraphicsUnmapResources);
  REFUSED(cudaGraphicsResourceGetMappedPointer);
}

static void runtime_mempool() {
  REFUSED(cudaMemPoolExportToShareableHandle);
  REFUSED(cudaMemPoolImportFromShareableHandle);
  REFUSED(cudaMemPoolExportPointer);
  REFUSED(cudaMemPoolImportPointer);
}

static void driver_graphics_interop() {
  REFUSED(cuGraphicsGLRegisterBuffer);
  REFUSED(cuGraphicsGLRegisterImage);
  REFUSED(cuGLGetDevices);
  REFUSED(cuGLCtxCreate);
  REFUSED(cuGLInit);
  REFUSED(cuGLRegisterBufferObject);
  REFUSED(cuGLMapBufferObject);
  REFUSED(cuGLUnmapBufferObject);
  REFUSED(cuGLUnregisterBufferObject);
  REFUSED(cuGLSetBufferObjectMapFlags);
  REFUSED(cuGLMapBufferObjectAsync);
  REFUSED(cuGLUnmapBufferObjectAsync);
  REFUSED(cuGraphicsEGLRegisterImage);
  REFUSED(cuEGLStreamConsumerConnect);
  REFUSED(cuEGLStreamConsumerConnectWithFlags);
  REFUSED(cuEGLStreamConsumerDisconnect);
  REFUSED(cuEGLStreamConsumerAcquireFrame);
  REFUSED(cuEGLStreamConsumerReleaseFrame);
  REFUSED(cuEGLStreamProducerConnect);
  REFUSED(cuEGLStreamProducerDisconnect);
  REFUSED(cuEGLStreamProducerPresentFrame);
  REFUSED(cuEGLStreamProducerReturnFrame);
  REFUSED(cuGraphicsResourceGetMappedEglFrame);
  REFUSED(cuEventCreateFromEGLSync);
  REFUSED(cuVDPAUGetDevice);
  REFUSED(cuVDPAUCtxCreate);
  REFUSED(cuGraphicsVDPAURegisterVideoSurface);
  REFUSED(cuGraphicsVDPAURegisterOutputSurface);
}

static void runtime_graphics_interop() {
  REFUSED(cudaGLGetDevices);
  REFUSED(cudaGraphicsGLRegisterImage);
  REFUSED(cudaGraphicsGLRegisterBuffer);
  REFUSED(cudaGLSetGLDevice);
  REFUSED(cudaGLRegisterBufferObject);
  REFUSED(cudaGLMapBufferObject);
  REFUSED(cudaGLUnmapBufferObject);
  REFUSED(cudaGLUnregisterBufferObject);
  REFUSED(cudaGLSetBufferObjectMapFlags);
  REFUSED(cudaGLMapBufferObjectAsync);
  REFUSED(cudaGLUnmapBufferObjectAsync);
  REFUSED(cudaGraphicsEGLRegisterImage);
  REFUSED(cudaEGLStreamConsumerConnect);
  REFUSED(cudaEGLStreamConsumerConnectWithFlags);
  REFUSED(cudaEGLStreamConsumerDisconnect);
  REFUSED(cudaEGLStreamConsumerAcquireFrame);
  REFUSED(cudaEGLStreamConsumerReleaseFrame);
  REFUSED(cudaEGLStreamProducerConnect);
  REFUSED(cudaEGLStreamProducerDisconnect);
  REFUSED(cudaEGLStreamProducerPresentFrame);
  REFUSED(cudaEGLStreamProducerReturnFrame);
  REFUSED(cudaGraphicsResourceGetMappedEglFrame);
  REFUSED(cudaEventCreateFromEGLSync);
  REFUSED(cudaVDPAUGetDevice);
  REFUSED(cudaVDPAUSetVDPAUDevice);
  REFUSED(cudaGraphicsVDPAURegisterVideoSurface);
  REFUSED(cudaGraphicsVDPAURegisterOutputSurface);
}

int main() {
  CHECK_CU(cuInit(0));
  driver_context();
  driver_device();
  driver_exec();
  driver_graph_node();
  driver_graphics();
  driver_graphics_interop();
  driver_memory();
  driver_mempool();
  driver_module();
  driver_process();
  driver_stream();
  driver_texture();
  driver_virtual_memory();
  runtime_array();
  runtime_device();
  runtime_external();
  runtime_graphics();
  runtime_mempool();
  runtime_graphics_interop();
  return check_report();
}
