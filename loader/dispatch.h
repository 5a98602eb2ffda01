// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several drivers as one. A side is a driver in use; the devices of all sides are one list, a side's after those of the side
// before it. Each call goes to the side that its device, handles or addresses belong to, else to the one whose context is
// current on the thread. Handles are the drivers' own, but for libraries and kernels: code is loaded once for all sides
// (dispatch_code.cpp).
#pragma once

#include "helicon/gen/driver_table.h"
#include "loader/driver.h"

#include <initializer_list>

namespace hel::loader {

/// Chooses the drivers to dispatch between, once, before any call. *error says why they cannot be used together.
bool start_dispatch(const std::vector<Driver> &drivers, std::string *error);

/// The table over all sides, for programs.
const DriverTable &dispatch_table();

/// The generated one, which knows of arguments only; what follows is what it is written with.
const DriverTable &plain_dispatch_table();

constexpr int kMaxSides = 4;
constexpr int kAnySide = -1;     ///< an argument that says nothing
constexpr int kMixedSides = -2;  ///< arguments that contradict each other

int side_count();
const DriverTable &side(int at);
/// The side without devices of its own numbering, which owns what no other side does; kAnySide if there is none.
int foreign_side();

/// Lets a managed variable of side `at`'s library be memory of another side.
Result<void> share_managed(int at, CUlibrary library, const char *name, CUdeviceptr storage);

int side_of_device(CUdevice device);
int side_of_pointer(const void *handle);
template <typename Handle> int side_of_handle(Handle handle) { return side_of_pointer(reinterpret_cast<const void *>(handle)); }
int side_of_address(CUdeviceptr address);

/// The side of the context that is current on this thread; the first side where there is none.
int current_side();

/// The side that all candidates agree on, else the current one; kMixedSides where they differ.
int choose_side(std::initializer_list<int> candidates);
CUresult of_several_drivers(const char *function);

/// While it lives, side `at` has a context: it may not be the one that the thread works with.
class Visit {
public:
  explicit Visit(int at) {
    if (at != current_side()) [[unlikely]] {
      enter(at);
    }
  }
  ~Visit() {
    if (entered_ >= 0) [[unlikely]] {
      leave();
    }
  }
  Visit(const Visit &) = delete;
  Visit &operator=(const Visit &) = delete;

private:
  void enter(int at);
  void leave();
  int entered_ = -1;
};

/// From now on the context that visits of a side use outlives them, with what is made in it.
void hold_context(int at);

/// What a handle of loaded code is on side `at`; a driver's own handle is itself. Null where the code is not for that side.
CUkernel on_side(int at, CUkernel kernel);
CUfunction on_side(int at, CUfunction function);
CUlibrary on_side(int at, CUlibrary library);
/// Why the last of them on this thread gave null.
CUresult why_not_on_side();
/// The handle that programs know for what is `own` on side `at`; `own` itself where there is none.
CUkernel joint_of(int at, CUkernel own);
CUfunction joint_of(int at, CUfunction own);
bool is_joint(const void *handle);

// Each replaces the functions of its subject.
void put_context_functions(DriverTable &table);
void put_code_functions(DriverTable &table);
void put_copy_functions(DriverTable &table);
void put_box_functions(DriverTable &table);
void put_graph_functions(DriverTable &table);

}  // namespace hel::loader
