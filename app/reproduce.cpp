// SPDX-License-Identifier: BSD-3-Clause
// Tables and figures of the paper: python/bayesid_reproduce, which runs this program.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "bayesid/error.hpp"
#include "log/python.hpp"
#include "math/did_you_mean.hpp"
#include "verbs.hpp"

namespace bayesid::app {

namespace {

struct Experiment {
  const char* name;
  const char* summary;
};

constexpr std::array<Experiment, 7> experiments{{
    {"inverse-vs-forward", "inverse and forward dynamics on five robots, iteration by iteration"},
    {"parameter-constraints", "known symmetry and total mass on a biped and a quadruped"},
    {"energy", "the energy balance as a measurement on four robots"},
    {"noise", "noise of the motion sensors: regressors of inverse dynamics and energy, and ours"},
    {"four-bar", "a leg with a four-bar: nominal, reduced and closed-loop model"},
    {"three-loops", "a leg with three loops in series"},
    {"standing-arm", "a quadruped with an arm, on four feet"},
}};

std::string list_of_experiments() {
  std::string out;
  for (const Experiment& one : experiments)
    out += (out.empty() ? "" : ", ") + std::string(one.name);
  return out;
}

void check_name(const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& one : experiments) names.emplace_back(one.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw InputError("unknown experiment \"" + name + "\"" + did_you_mean(name, names) +
                   ", known are " + list_of_experiments());
}

std::vector<std::string> command(const Arguments& arguments) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> out{python(), "-m", "bayesid_reproduce", arguments.positional};
  out.insert(out.end(), {"--program", self});
  for (const char* option : {"--out", "--starts"}) {
    if (arguments.has(option)) out.insert(out.end(), {option, arguments.value(option, "")});
  }
  if (arguments.has("--quick")) out.emplace_back("--quick");
  out.insert(out.end(), {"--threads", std::to_string(arguments.threads)});
  if (arguments.quiet) out.emplace_back("--quiet");
  if (arguments.json) out.emplace_back("--json");
  if (arguments.has_seed) out.insert(out.end(), {"--seed", std::to_string(arguments.seed)});
  return out;
}

}  // namespace

Signature reproduce_signature() {
  std::string details = "experiments:\n";
  for (const Experiment& one : experiments) {
    std::string left = "  " + std::string(one.name);
    left.resize(25, ' ');
    details += left + one.summary + "\n";
  }
  return {.name = "reproduce",
          .positional = "EXPERIMENT",
          .summary = "a table or figure of the paper, beside the published numbers",
          .options = {{"--out", "DIR", "where to (default: reproduce_<experiment>)"},
                      {"--starts", "N", "how many logs and priors (default: those of the paper)"},
                      {"--quick", "", "a small variant, seconds instead of hours"}},
          .details = details};
}

int reproduce(const Arguments& arguments) {
  check_name(arguments.positional);
  arguments.number("--starts", 1, 1'000'000, 1);
  for (const auto& [name, value] : python_environment()) setenv(name.c_str(), value.c_str(), 1);
  std::vector<std::string> words = command(arguments);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());  // it has our terminal, our signals and our exit code
  throw InputError("cannot start " + words[0] + " (" + std::strerror(errno) +
                   "); BAYESID_PYTHON names another one");
}

}  // namespace bayesid::app
