// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <type_traits>

namespace bayesid {

/// Threads that wait for work. What is computed never depends on which thread computes it, so
/// results have the same bits for any number of them.
class ThreadPool {
 public:
  explicit ThreadPool(int num_threads);
  ~ThreadPool();
  int num_threads() const;

  /// Calls task(i, thread) for i = 0 … count − 1, in this order of start, and waits for all. The
  /// first exception is thrown again here.
  template <typename Task>
  void run(int count, Task&& task) {
    using Callable = std::remove_reference_t<Task>;
    run_task(
        count,
        [](void* callable, int i, int thread) { (*static_cast<Callable*>(callable))(i, thread); },
        const_cast<void*>(static_cast<const void*>(&task)));
  }

 private:
  using Call = void (*)(void* callable, int i, int thread);
  void run_task(int count, Call call, void* callable);  // without std::function: no allocation

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bayesid
