// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single values in stream order, and their entry points.
#include "drivers/cpu/memory/memory_operations.h"

#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/exec/worker_pool.h"
#include "drivers/cpu/graph/capture.h"
#include "drivers/cpu/memory/copy_plan.h"
#include "helicon/gen/cpu_impl.h"

#include <sched.h>

#include <atomic>
#include <vector>

namespace hel::cpu {
namespace {

constexpr unsigned kMostOperations = 256;

template <typename T> std::atomic_ref<T> at(CUdeviceptr address) {
  return std::atomic_ref<T>(*reinterpret_cast<T *>(address));
}

/// The comparisons are those of the interface: GEQ is a signed difference, so that counters may wrap.
template <typename T> bool holds(T seen, T value, unsigned flags) {
  switch (flags & ~CU_STREAM_WAIT_VALUE_FLUSH) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      return static_cast<std::make_signed_t<T>>(seen - value) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return seen == value;
    case CU_STREAM_WAIT_VALUE_AND:
      return (seen & value) != 0;
    default:
      return static_cast<T>(~(seen | value)) != 0;
  }
}

Result<void> check_address(CUdeviceptr address, size_t bytes, bool written) {
  if (address % bytes != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "address 0x%llx is no multiple of %zu",
                    static_cast<unsigned long long>(address), bytes);
  }
  HEL_TRY(check_memory(address, bytes, "address", written));
  return {};
}

Result<void> check_operation(const CUstreamBatchMemOpParams &operation) {
  switch (operation.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      HEL_TRY(check_flags(operation.waitValue.flags, CU_STREAM_WAIT_VALUE_FLUSH | CU_STREAM_WAIT_VALUE_NOR));
      return check_address(operation.waitValue.address, operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ? 4 : 8,
                           false);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      HEL_TRY(check_flags(operation.writeValue.flags, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
      return check_address(operation.writeValue.address, operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 ? 4 : 8,
                           true);
    case CU_STREAM_MEM_OP_BARRIER:
      return check_flags(operation.memoryBarrier.flags, CU_STREAM_MEMORY_BARRIER_TYPE_GPU);
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return check_flags(operation.flushRemoteWrites.flags, 0);
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no memory operation has the number %d",
                  static_cast<int>(operation.operation));
}

/// True when it is done. All writes here are ordered, which is more than barriers and flushes ask for.
bool run_operation(const CUstreamBatchMemOpParams &operation) {
  switch (operation.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return holds(at<uint32_t>(operation.waitValue.address).load(), operation.waitValue.value,
                   operation.waitValue.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return holds(at<cuuint64_t>(operation.waitValue.address).load(), operation.waitValue.value64,
                   operation.waitValue.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      at<uint32_t>(operation.writeValue.address).store(operation.writeValue.value);
      return true;
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      at<cuuint64_t>(operation.writeValue.address).store(operation.writeValue.value64);
      return true;
    default:
      std::atomic_thread_fence(std::memory_order_seq_cst);
      return true;
  }
}

/// Looks again and again, as a task that gives way to all others each time.
class OperationsCommand : public Command {
public:
  OperationsCommand(Context &context, std::vector<CUstreamBatchMemOpParams> operations)
      : Command(context), operations_(std::move(operations)) {}
  const char *name() const override { return "memory operations"; }

protected:
  Progress run() override {
    if (run_operations(operations_.data(), static_cast<unsigned>(operations_.size()), &next_)) {
      return Progress::Done;
    }
    exec::Task task{};
    task.owner = owner();
    task.user = CommandRef(*this).leak();
    task.run = [](void *user) {
      CommandRef self = CommandRef::adopt(static_cast<Command *>(user));
      auto &command = static_cast<OperationsCommand &>(*self);
      sched_yield();
      if (command.context().faulted() || command.run() == Progress::Done) {
        command.complete();
      }
    };
    exec::WorkerPool::instance().submit(task);
    return Progress::Later;
  }

private:
  const std::vector<CUstreamBatchMemOpParams> operations_;
  unsigned next_ = 0;
};

Result<void> issue(CUstream handle, const CUstreamBatchMemOpParams *operations, unsigned count, unsigned flags) {
  Ref<Stream> stream = HEL_TRY(find_stream(handle, StreamUse::Work));
  HEL_TRY(check_operations(operations, count, flags));
  std::vector<CUstreamBatchMemOpParams> copied(operations, operations + count);
  if (stream->captured()) {
    return capture(*stream, MemoryOperationsWork{stream->context().handle(), std::move(copied), flags});
  }
  stream->enqueue(CommandRef::adopt(new OperationsCommand(stream->context(), std::move(copied))),
                  Command::Place::Caller);
  return {};
}

template <typename T>
Result<void> issue_wait(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, T value, unsigned flags) {
  CUstreamBatchMemOpParams operation{};
  operation.operation = type;
  operation.waitValue.address = address;
  operation.waitValue.value64 = value;
  operation.waitValue.flags = flags;
  return issue(stream, &operation, 1, 0);
}

template <typename T>
Result<void> issue_write(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, T value, unsigned flags) {
  CUstreamBatchMemOpParams operation{};
  operation.operation = type;
  operation.writeValue.address = address;
  operation.writeValue.value64 = value;
  operation.writeValue.flags = flags;
  return issue(stream, &operation, 1, 0);
}

}  // namespace

Result<void> check_operations(const CUstreamBatchMemOpParams *operations, unsigned count, unsigned flags) {
  HEL_TRY(check_flags(flags, 0));
  if (count == 0 || count > kMostOperations || operations == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%u memory operations at %p, at most %u are possible", count,
                    static_cast<const void *>(operations), kMostOperations);
  }
  for (unsigned i = 0; i < count; i++) {
    HEL_TRY_CONTEXT(check_operation(operations[i]), "checking operation %u of %u", i, count);
  }
  return {};
}

bool run_operations(const CUstreamBatchMemOpParams *operations, unsigned count, unsigned *next) {
  for (; *next < count; ++*next) {
    if (!run_operation(operations[*next])) {
      return false;
    }
  }
  return true;
}

Result<void> stream_wait_value32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return issue_wait(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags);
}

Result<void> stream_wait_value64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return issue_wait(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags);
}

Result<void> stream_write_value32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return issue_write(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags);
}

Result<void> stream_write_value64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return issue_write(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags);
}

Result<void> stream_batch_mem_op(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
                                 unsigned int flags) {
  return issue(stream, paramArray, count, flags);
}

}  // namespace hel::cpu
