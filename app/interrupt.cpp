// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include <csignal>

namespace bayesid::app {
namespace {

volatile std::sig_atomic_t received = 0;

void remember(int signal) {
  received = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

int interrupt() {
  return received;
}

}  // namespace bayesid::app
