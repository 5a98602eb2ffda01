// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM's linker complains about while the device code of several files becomes one module.
#pragma once

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace hel::cc {

/// Keeps the errors, one a line.
class LinkMessages : public llvm::DiagnosticHandler {
public:
  explicit LinkMessages(std::string &text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(text_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << '\n';
    }
    return true;
  }

private:
  std::string &text_;
};

}  // namespace hel::cc
