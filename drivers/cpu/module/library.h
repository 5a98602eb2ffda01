// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries: code that is not tied to a context. A context gets its module when it first needs it; managed variables
// are shared by all of them.
#pragma once

#include "drivers/cpu/module/module.h"

#include <map>

namespace hel::cpu {

class Kernel;
struct Device;

/// What a library knows of a kernel without having it loaded.
struct KernelRecord {
  std::string name;
  abi::KernelInfo info;  ///< params points into `params`; name into `name`
  std::vector<abi::ParamInfo> params;
};

class Library : public HandleObject<Library, Tag::Library>, private ManagedStorage {
public:
  /// Keeps a copy of the image, unless `preserved` promises that it stays where it is.
  static Result<Ref<Library>> load(const void *image, size_t bytes, bool preserved);
  ~Library() override;

  Result<Ref<Module>> module_in(Context &context);
  const std::vector<std::unique_ptr<KernelRecord>> &kernels() const { return records_; }
  Result<Ref<Kernel>> kernel(size_t index);
  Result<Ref<Kernel>> kernel(const char *name);
  /// Applies a setting to a kernel's functions on a device, present and future.
  Result<void> set_attribute(size_t kernel, const Device &device, CUfunction_attribute attribute, int value);
  /// The settings that a kernel's functions on a device have.
  Result<void> settings_of(size_t kernel, int device, FunctionSettings &settings);
  Result<Global> managed(const char *name, Context &context);
  /// Lets the managed variable be `storage`, which the caller keeps, in every module to come. Fails when there is one
  /// already.
  Result<void> borrow_managed(const char *name, void *storage);
  void close();

private:
  struct Setting {
    size_t kernel;
    int device;
    CUfunction_attribute attribute;
    int value;
  };
  Result<void *> storage_of(Context &context, const abi::VariableInfo &variable) override;
  Result<void> read_records();

  std::vector<uint8_t> copy_;                           ///< of the program's image; empty if that is preserved
  ElfBytes elf_;                                        ///< fixed after load()
  std::vector<std::unique_ptr<KernelRecord>> records_;  ///< fixed after load()
  Mutex managed_mutex_;
  std::map<std::string, Allocation *> managed_ HEL_GUARDED_BY(managed_mutex_);
  std::map<std::string, void *> borrowed_
      HEL_GUARDED_BY(managed_mutex_);  ///< storage of managed variables that is not ours
  Mutex mutex_;
  std::unique_ptr<LoadedImage> spare_ HEL_GUARDED_BY(mutex_);       ///< loaded, and of no context yet
  std::map<uint64_t, Ref<Module>> modules_ HEL_GUARDED_BY(mutex_);  ///< by the context's unique id
  std::vector<Ref<Kernel>> kernels_ HEL_GUARDED_BY(mutex_);
  std::vector<Setting> settings_ HEL_GUARDED_BY(mutex_);
};

class Kernel : public HandleObject<Kernel, Tag::Kernel> {
public:
  Kernel(Library &library, size_t index) : library_(library), index_(index) {}
  Library &library() const { return library_; }
  size_t index() const { return index_; }
  const KernelRecord &record() const { return *library_.kernels()[index_]; }
  Result<Ref<Function>> function_in(Context &context);

private:
  Library &library_;  ///< its end is the kernel's end
  const size_t index_;
};

/// For programs on several drivers (loader/driver.h): the variable is memory of another driver.
Result<void> share_managed(CUlibrary library, const char *name, CUdeviceptr storage);

}  // namespace hel::cpu
