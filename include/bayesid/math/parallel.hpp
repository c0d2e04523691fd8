// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

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
  void run(int count, const std::function<void(int, int)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bayesid
