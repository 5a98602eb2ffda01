// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/image_tables.h"

#include "abi/kernel.h"
#include "abi/lineinfo.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/symbol_names.h"
#include "compiler/ir/variable_facts.h"

namespace hel::cc {
namespace {

/// Builds constants in the tables' module.
class Tables {
public:
  Tables(llvm::Module &code, const ObjectFacts &facts)
      : code_(code), facts_(facts), module_(std::make_unique<llvm::Module>("helicon.tables", code.getContext())),
        context_(code.getContext()), pointer_(llvm::PointerType::get(context_, 0)) {
    module_->setTargetTriple(code.getTargetTriple());
    module_->setDataLayout(code.getDataLayout());
    module_->setPICLevel(llvm::PICLevel::BigPIC);
  }
  std::unique_ptr<llvm::Module> take() { return std::move(module_); }
  void make_image_info();
  void make_line_info();

private:
  llvm::Constant *word(uint32_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value); }
  llvm::Constant *wide(uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), value); }
  llvm::Constant *null() { return llvm::ConstantPointerNull::get(pointer_); }
  llvm::Constant *record(llvm::ArrayRef<llvm::Constant *> fields) { return llvm::ConstantStruct::getAnon(fields); }
  llvm::Constant *three(const uint32_t (&value)[3]) { return llvm::ConstantDataArray::get(context_, value); }
  llvm::Constant *private_data(llvm::Constant *value);
  llvm::Constant *array(const std::vector<llvm::Constant *> &elements);
  llvm::Constant *text(llvm::StringRef value);
  llvm::Constant *symbol(llvm::StringRef name);
  llvm::Constant *kernel(llvm::Function &function);
  llvm::Constant *variable(llvm::GlobalVariable &variable);
  void export_as(const char *name, llvm::Constant *value);
  uint32_t deepest_stack(llvm::Function &function);

  llvm::Module &code_;
  const ObjectFacts &facts_;
  std::unique_ptr<llvm::Module> module_;
  llvm::LLVMContext &context_;
  llvm::PointerType *pointer_;
  llvm::StringMap<uint32_t> frames_;
};

llvm::Constant *Tables::private_data(llvm::Constant *value) {
  return new llvm::GlobalVariable(*module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value);
}

llvm::Constant *Tables::array(const std::vector<llvm::Constant *> &elements) {
  if (elements.empty()) {
    return null();
  }
  auto *type = llvm::ArrayType::get(elements[0]->getType(), elements.size());
  return private_data(llvm::ConstantArray::get(type, elements));
}

llvm::Constant *Tables::text(llvm::StringRef value) {
  return private_data(llvm::ConstantDataArray::getString(context_, value));
}

/// Something that the code's object defines.
llvm::Constant *Tables::symbol(llvm::StringRef name) {
  llvm::GlobalVariable *known = module_->getNamedGlobal(name);
  if (!known) {
    known = new llvm::GlobalVariable(*module_, llvm::Type::getInt8Ty(context_), false,
                                     llvm::GlobalValue::ExternalLinkage, nullptr, name);
    known->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
  return known;
}

/// Sum of the frames on the deepest chain of calls by name, of which what calls itself is counted once.
uint32_t Tables::deepest_stack(llvm::Function &function) {
  constexpr uint32_t kReturnAddress = 8;
  const uint32_t own = frames_.lookup(function.getName()) + kReturnAddress;
  const std::string deep = ("deep " + function.getName()).str();
  frames_[deep] = own;
  uint32_t below = 0;
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration()) {
      auto known = frames_.find(("deep " + callee->getName()).str());
      uint32_t depth = known != frames_.end() ? known->second : deepest_stack(*callee);
      below = std::max(below, depth);
    }
  }
  return frames_[deep] = own + below;
}

llvm::Constant *Tables::kernel(llvm::Function &function) {
  KernelFacts facts = read_kernel_facts(function);
  std::vector<llvm::Constant *> params;
  for (const abi::ParamInfo &param : facts.params) {
    params.push_back(record({word(param.offset), word(param.bytes)}));
  }
  uint32_t unknown = abi::kKernelRecursive | abi::kKernelIndirectCalls;
  uint32_t local_bytes = facts.flags & unknown ? 0 : deepest_stack(function);
  bool has_block = facts.flags & abi::kKernelHasBlockFunction;
  llvm::Constant *block = has_block ? symbol((function.getName() + kBlockSuffix).str()) : null();
  llvm::Function *block_function = has_block ? code_.getFunction((function.getName() + kBlockSuffix).str()) : nullptr;
  uint32_t block_stack = block_function ? deepest_stack(*block_function) : 0;
  llvm::Constant *note = facts.engine_note.empty() ? null() : text(facts.engine_note);
  return record({text(source_name(function)), symbol(function.getName()), block, array(params),
                 word(facts.params.size()), word(facts.param_bytes), word(facts.static_shared_bytes), word(local_bytes),
                 word(facts.max_threads), word(facts.min_blocks), three(facts.required_block), three(facts.cluster),
                 word(facts.flags), word(block_stack), note, word(facts.arch)});
}

llvm::Constant *Tables::variable(llvm::GlobalVariable &variable) {
  VariableFacts facts = read_variable_facts(variable);
  llvm::GlobalVariable *contents = facts.contents ? facts.contents : &variable;
  const llvm::DataLayout &layout = code_.getDataLayout();
  llvm::Align align = std::max(contents->getAlign().valueOrOne(), layout.getABITypeAlign(contents->getValueType()));
  bool has_init = facts.kind == abi::VariableKind::Managed && contents->hasInitializer() &&
                  !contents->getInitializer()->isNullValue();
  return record({text(source_name(variable)), symbol(variable.getName()),
                 wide(layout.getTypeAllocSize(contents->getValueType())), word(align.value()),
                 word(static_cast<uint32_t>(facts.kind)), has_init ? symbol(contents->getName()) : null()});
}

void Tables::export_as(const char *name, llvm::Constant *value) {
  new llvm::GlobalVariable(*module_, value->getType(), true, llvm::GlobalValue::ExternalLinkage, value, name);
}

void Tables::make_image_info() {
  for (const CodeRange &range : facts_.functions) {
    frames_[range.name] = range.stack_bytes;
  }
  std::vector<llvm::Constant *> kernels, variables;
  for (llvm::Function *function : defined_kernels(code_)) {
    kernels.push_back(kernel(*function));
  }
  for (llvm::GlobalVariable &global : code_.globals()) {
    if (is_device_variable(global)) {
      variables.push_back(variable(global));
    }
  }
  export_as(abi::kImageInfoSymbol, record({word(abi::kImageInfoVersion), word(kernels.size()), array(kernels),
                                           word(variables.size()), word(0), array(variables)}));
}

void Tables::make_line_info() {
  std::string strings(1, '\0');
  llvm::StringMap<uint32_t> known;
  auto intern = [&](llvm::StringRef value) {
    auto [where, fresh] = known.try_emplace(value, strings.size());
    if (fresh) {
      strings += value.str() + '\0';
    }
    return where->second;
  };
  std::vector<uint32_t> functions, rows;
  for (const CodeRange &range : facts_.functions) {
    functions.insert(functions.end(), {range.begin, range.end, intern(range.name), range.stack_bytes});
  }
  uint32_t row_count = 0;
  for (const CodeLine &line : facts_.lines) {
    rows.insert(rows.end(), {line.offset, line.line, line.line ? intern(line.file) : 0});
    ++row_count;
  }
  auto words = [&](const std::vector<uint32_t> &values) {
    return values.empty() ? null() : private_data(llvm::ConstantDataArray::get(context_, values));
  };
  llvm::Constant *pool = private_data(llvm::ConstantDataArray::getString(context_, strings, /*AddNull=*/false));
  export_as(abi::kLineInfoSymbol,
            record({word(abi::kLineInfoVersion), word(facts_.functions.size()), word(row_count), word(0),
                    symbol(kTextSymbol), words(functions), words(rows), pool}));
}

}  // namespace

std::unique_ptr<llvm::Module> make_image_tables(llvm::Module &module, const ObjectFacts &facts) {
  static_assert(sizeof(abi::KernelInfo) == 104 && sizeof(abi::VariableInfo) == 40 && sizeof(abi::ImageInfo) == 32);
  static_assert(sizeof(abi::FunctionRange) == 16 && sizeof(abi::LineRow) == 12 && sizeof(abi::LineInfo) == 48);
  Tables tables(module, facts);
  tables.make_image_info();
  tables.make_line_info();
  return tables.take();
}

void mark_text(llvm::Module &module) {
  std::string name = kTextSymbol;
  module.appendModuleInlineAsm(".text\n.globl " + name + "\n.hidden " + name + "\n" + name + ":");
  for (llvm::Function &function : module) {
    function.removeFnAttr(llvm::Attribute::Cold);
    function.removeFnAttr(llvm::Attribute::Hot);
  }
}

}  // namespace hel::cc
