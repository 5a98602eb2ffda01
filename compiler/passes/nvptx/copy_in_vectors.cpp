// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/copy_in_vectors.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

constexpr uint64_t kPiece = 16;
constexpr uint64_t kMost = 64;  // bytes: these many registers hold them

bool is_of_pieces(llvm::MemTransferInst &copy) {
  auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  auto aligned = [](llvm::MaybeAlign align) { return align.valueOrOne().value() >= kPiece; };
  return bytes && !copy.isVolatile() && bytes->getZExtValue() % kPiece == 0 && bytes->getZExtValue() != 0 &&
         bytes->getZExtValue() <= kMost && aligned(copy.getDestAlign()) && aligned(copy.getSourceAlign());
}

/// All pieces are read before the first is written, so that the two may overlap.
void copy_pieces(llvm::MemTransferInst &copy) {
  llvm::IRBuilder<> builder(&copy);
  llvm::Type *type = llvm::FixedVectorType::get(builder.getInt32Ty(), 4);
  uint64_t count = llvm::cast<llvm::ConstantInt>(copy.getLength())->getZExtValue() / kPiece;
  auto piece = [&](llvm::Value *start, uint64_t i) {
    return i == 0 ? start : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start, i * kPiece);
  };
  llvm::SmallVector<llvm::Value *, kMost / kPiece> values;
  for (uint64_t i = 0; i < count; ++i) {
    values.push_back(builder.CreateAlignedLoad(type, piece(copy.getRawSource(), i), llvm::Align(kPiece)));
  }
  for (uint64_t i = 0; i < count; ++i) {
    builder.CreateAlignedStore(values[i], piece(copy.getRawDest(), i), llvm::Align(kPiece));
  }
  copy.eraseFromParent();
}

}  // namespace

Result<void> copy_in_vectors(llvm::Module &module, Compilation &compilation) {
  llvm::SmallVector<llvm::MemTransferInst *, 8> copies;
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&inst); copy && is_of_pieces(*copy)) {
        copies.push_back(copy);
      }
    }
  }
  for (llvm::MemTransferInst *copy : copies) {
    copy_pieces(*copy);
  }
  return {};
}

}  // namespace hel::cc
