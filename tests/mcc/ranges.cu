// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs name ranges for profilers by nvToolsExt.h, in C too; without a tool nothing is tracked.
// RUN: %mcc %s -o %t -lnvToolsExt && %run %t
// RUN: echo '#include <nvToolsExt.h>' > %t.c && echo 'int main(void) { nvtxRangePush("a"); return nvtxRangePop() != -2; }' >> %t.c
// RUN: %mcc %t.c -o %t && %run %t
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

#include "check.h"

int main() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xff00ff00;
  event.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
  event.payload.dValue = 0.5;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "step";
  CHECK_EQ(nvtxRangePushEx(&event), NVTX_NO_PUSH_POP_TRACKING);
  CHECK_EQ(nvtxRangePop(), NVTX_NO_PUSH_POP_TRACKING);
  nvtxRangeEnd(nvtxRangeStart("whole"));
  nvtxMark("here");
  nvtxDomainHandle_t domain = nvtxDomainCreate("mine");
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = nvtxDomainRegisterString(domain, "again");
  CHECK_EQ(nvtxDomainRangePushEx(domain, &event), NVTX_NO_PUSH_POP_TRACKING);
  CHECK_EQ(nvtxDomainRangePop(domain), NVTX_NO_PUSH_POP_TRACKING);
  nvtxDomainDestroy(domain);
  return check_report();
}
