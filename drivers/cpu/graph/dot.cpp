// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/graph/dot.h"

#include <cstdio>
#include <string>

namespace hel::cpu {
namespace {

bool wants(unsigned flags, unsigned detail) { return (flags & (detail | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE)) != 0; }

std::string escaped(const char *text) {
  std::string result;
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\') {
      result += '\\';
    }
    result += *text;
  }
  return result;
}

std::string details(const Work &work, unsigned flags) {
  if (const auto *kernel = std::get_if<KernelWork>(&work)) {
    std::string text = "\\n" + escaped(kernel->function->info().name);
    if (wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS)) {
      const LaunchConfig &c = kernel->config;
      text += format("\\ngrid %u x %u x %u\\nblock %u x %u x %u\\nshared %u", c.grid.x, c.grid.y, c.grid.z, c.block.x,
                     c.block.y, c.block.z, c.dynamic_shared);
    }
    if (wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES)) {
      text += format("\\ncooperative %d\\npriority %d", kernel->config.cooperative, kernel->config.priority);
    }
    return text;
  }
  if (const auto *copy = std::get_if<CopyWork>(&work);
      copy && wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS)) {
    return format("\\n%p to %p\\n%zu x %zu x %zu", static_cast<const void *>(copy->plan.source),
                  static_cast<void *>(copy->plan.target), copy->copy.WidthInBytes, copy->copy.Height, copy->copy.Depth);
  }
  if (const auto *fill = std::get_if<FillWork>(&work);
      fill && wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS)) {
    return format("\\n0x%llx\\nvalue 0x%x of %u bytes\\n%zu x %zu", static_cast<unsigned long long>(fill->fill.dst),
                  fill->fill.value, fill->fill.elementSize, fill->fill.width, fill->fill.height);
  }
  if (const auto *host = std::get_if<HostWork>(&work);
      host && wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS)) {
    return format("\\nfn %p\\nuserData %p", reinterpret_cast<void *>(host->function), host->user);
  }
  if (const auto *alloc = std::get_if<AllocWork>(&work);
      alloc && wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS)) {
    return format("\\n%zu bytes at 0x%llx", alloc->bytes, static_cast<unsigned long long>(alloc->memory->address()));
  }
  if (const auto *release = std::get_if<FreeWork>(&work);
      release && wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS)) {
    return format("\\n0x%llx", static_cast<unsigned long long>(release->pointer));
  }
  return "";
}

class Printer {
public:
  Printer(FILE *file, unsigned flags) : file_(file), flags_(flags) {}

  void print(const Graph &graph) {
    const unsigned number = graphs_++;
    std::fprintf(file_, "subgraph cluster_%u {\nlabel=\"graph_%u\" graph[style=\"dashed\"];\n", number, number);
    for (const Ref<Node> &node : graph.nodes()) {
      const char *shape = node->type() == CU_GRAPH_NODE_TYPE_KERNEL ? "octagon" : "box";
      std::fprintf(file_, "\"node_%llu\" [shape=\"%s\" label=\"%s%s%s\"];\n", id(*node), shape, name_of(node->type()),
                   handle(*node).c_str(), details(node->work, flags_).c_str());
    }
    for (const Ref<Node> &node : graph.nodes()) {
      for (const Edge &edge : node->dependencies) {
        std::fprintf(file_, "\"node_%llu\" -> \"node_%llu\"%s;\n", id(*edge.node), id(*node),
                     is_plain(edge.data) ? "" : " [style=\"dashed\"]");
      }
    }
    std::fprintf(file_, "}\n");
    for (const Ref<Node> &node : graph.nodes()) {
      if (const auto *child = std::get_if<ChildWork>(&node->work)) {
        std::fprintf(file_, "\"node_%llu\" -> \"node_%llu\" [style=\"dotted\" label=\"graph_%u\"];\n", id(*node),
                     child->graph->nodes().empty() ? id(*node) : id(*child->graph->nodes().front()), graphs_);
        print(*child->graph);
      }
    }
  }

private:
  static unsigned long long id(const Node &node) { return node.unique_id(); }
  std::string handle(const Node &node) const {
    return wants(flags_, CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES) ? format("\\n%p", node.raw_handle()) : "";
  }

  FILE *const file_;
  const unsigned flags_;
  unsigned graphs_ = 0;
};

}  // namespace

Result<void> print_dot(const Graph &graph, const char *path, unsigned flags) {
  constexpr unsigned kKnown = (CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS << 1) - 1;
  if ((flags & ~kKnown) != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%x are unknown", flags & ~kKnown);
  }
  FILE *file = std::fopen(path, "w");
  if (file == nullptr) {
    return HEL_FAIL(CUDA_ERROR_OPERATING_SYSTEM, "%s cannot be written", path);
  }
  std::fprintf(file, "digraph dot {\n");
  Printer(file, flags).print(graph);
  std::fprintf(file, "}\n");
  if (std::fclose(file) != 0) {
    return HEL_FAIL(CUDA_ERROR_OPERATING_SYSTEM, "%s cannot be written", path);
  }
  return {};
}

}  // namespace hel::cpu
