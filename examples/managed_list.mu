// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linked list in managed memory, built by the host and walked by the device; in the MUSA spelling.
#include <cstdio>
#include <cstdlib>

struct Managed {
  static void *operator new(size_t bytes) {
    void *memory = nullptr;
    if (musaMallocManaged(&memory, bytes) != musaSuccess) {
      std::abort();
    }
    return memory;
  }
  static void operator delete(void *memory) { musaFree(memory); }
};

struct Node : Managed {
  int value;
  Node *next;
  Node(int v, Node *n) : value(v), next(n) {}
};

__managed__ int total;

__global__ void add_up(const Node *head) {
  for (const Node *node = head; node != nullptr; node = node->next) {
    total += node->value;
  }
}

int main() {
  Node *head = nullptr;
  for (int i = 1; i <= 100; ++i) {
    head = new Node(i, head);
  }
  add_up<<<1, 1>>>(head);
  musaError_t error = musaDeviceSynchronize();
  std::printf("managed_list: %d, %s\n", total, error == musaSuccess && total == 5050 ? "right" : "wrong");
  while (head != nullptr) {
    Node *next = head->next;
    delete head;
    head = next;
  }
  return error != musaSuccess || total != 5050;
}
