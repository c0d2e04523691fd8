// SPDX-License-Identifier: BSD-3-Clause
#include "math/parallel.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bayesid {

struct ThreadPool::State {
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable wake, done;
  ThreadPool::Call call = nullptr;
  void* callable = nullptr;
  std::atomic<int> next{0};
  int count = 0, busy = 0;
  long round = 0;
  bool stop = false;
  std::exception_ptr failure;

  void work(int thread) {
    for (int i = next++; i < count; i = next++) {
      try {
        call(callable, i, thread);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  }

  void wait_for_work(int thread) {
    long seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return stop || round != seen; });
      if (stop) return;
      seen = round;
      lock.unlock();
      work(thread);
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int num_threads) : state_(std::make_unique<State>()) {
  for (int i = 1; i < num_threads; ++i) {
    state_->threads.emplace_back([state = state_.get(), i] { state->wait_for_work(i); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->wake.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
}

int ThreadPool::num_threads() const {
  return static_cast<int>(state_->threads.size()) + 1;
}

void ThreadPool::run_task(int count, Call call, void* callable) {
  State& s = *state_;
  {
    const std::lock_guard lock(s.mutex);
    s.call = call;
    s.callable = callable;
    s.count = count;
    s.next = 0;
    s.busy = static_cast<int>(s.threads.size());
    s.failure = nullptr;
    ++s.round;
  }
  s.wake.notify_all();
  s.work(0);
  std::unique_lock lock(s.mutex);
  s.done.wait(lock, [&] { return s.busy == 0; });
  if (s.failure) std::rethrow_exception(s.failure);
}

}  // namespace bayesid
