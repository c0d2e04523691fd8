// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "app/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

namespace bayesid::test {

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Run run_program(const std::string& folder, const std::vector<std::string>& words, int signal,
                const std::string& after, unsigned largest_file) {
  const TempFolder captured;
  const std::string out = captured.path() / "out", err = captured.path() / "err";
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    std::vector<char*> arguments{const_cast<char*>(BAYESID_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int to_out = open(out.c_str(), O_WRONLY | O_CREAT, 0600);
    const int to_err = open(err.c_str(), O_WRONLY | O_CREAT, 0600);
    if (to_out < 0 || to_err < 0 || chdir(folder.c_str()) != 0) _exit(99);
    dup2(to_out, STDOUT_FILENO);
    dup2(to_err, STDERR_FILENO);
    if (largest_file > 0) {
      const rlimit limit{largest_file, largest_file};
      std::signal(SIGXFSZ, SIG_IGN);  // write() returns the error instead
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(99);
    }
    execv(BAYESID_PROGRAM, arguments.data());
    _exit(99);
  }
  int status = 0;
  if (signal != 0) {
    while (text_of(err).find(after) == std::string::npos && waitpid(child, &status, WNOHANG) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(child, signal);
  }
  if (waitpid(child, &status, 0) != child && !WIFEXITED(status)) return {};
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), text_of(out), text_of(err)};
}

namespace {

/// The small robot with an elbow in place of the slide, a hand beside its axis, and no friction.
std::string arm_urdf() {
  std::string out = replaced(small_urdf, R"(<mass value="0.5"/>)",
                             R"(<origin xyz="0.05 0 -0.1" rpy="0 0 0"/>
      <mass value="0.5"/>)");
  out = replaced(out, "    <dynamics damping=\"0.1\" friction=\"0.2\"/>\n", "");
  out = replaced(out, R"("slide" type="prismatic")", R"("elbow" type="revolute")");
  out = replaced(out, R"("0 0 1")", R"("0 1 0")");
  return replaced(out, R"(lower="0" upper="0.2" effort="20" velocity="0.5")",
                  R"(lower="-2" upper="2" effort="20" velocity="5")");
}

constexpr const char* config = R"(schema: 1
model:
  urdf: arm.urdf
logs:
  - file: run.csv
measurements:
  position: 1.0e-4
  velocity: 1.0e-2
  effort: 0.01
disturbance: {position: 1.0e-6, velocity: 1.0e-3}
parameters:
  inertia:
  friction: {terms: [coulomb, viscous]}
simulation: {duration: 1.0, rate: 200, base_frequency: 1.0, harmonics: 3}
)";

}  // namespace

const SmallCase& small_case() {
  static const SmallCase made = [] {
    const TempFolder folder;
    const std::string urdf = arm_urdf();
    folder.write("arm.urdf", urdf);
    folder.write("arm.yaml", config);
    const Run run = run_program(folder.path(), {"simulate", "arm.yaml", "--out", "sim"});
    if (run.code != 0) throw std::runtime_error("simulate failed: " + run.err);
    return SmallCase{urdf, config, text_of(folder.path() / "sim" / "log1.csv")};
  }();
  return made;
}

}  // namespace bayesid::test

using namespace bayesid::test;
using nlohmann::json;

BOOST_AUTO_TEST_CASE(program_help_lists_the_commands_that_exist) {
  const Run run = run_program("/", {"--help"});
  BOOST_TEST(run.code == 0);
  BOOST_TEST(run.err == "");
  for (const std::string verb : {"demo", "init", "check", "identify", "validate", "simulate",
                                 "excite", "compare", "report", "reproduce"}) {
    BOOST_TEST(run.out.find("  " + verb) != std::string::npos, verb);
    const Run page = run_program("/", {verb, "--help"});
    BOOST_TEST(page.code == 0);
    BOOST_TEST(page.out.find("usage: bayesid " + verb) != std::string::npos);
    for (const std::string option : {"--json", "--quiet", "--threads N", "--seed N"}) {
      BOOST_TEST(page.out.find(option) != std::string::npos, option);
    }
  }
  BOOST_TEST(run_program("/", {"--version"}).out.starts_with("bayesid 0."));
}

BOOST_AUTO_TEST_CASE(program_names_unknown_words) {
  struct Case {
    std::vector<std::string> words;
    std::string sentence;
  };
  const std::vector<Case> cases{
      {{"identfy"}, "unknown command identfy, did you mean identify?"},
      {{"report", "a"}, "a: no such folder"},
      {{"excite", "a.yaml"}, "a.yaml: no such file"},
      {{"--verbose"}, "unknown option --verbose, see bayesid --help"},
      {{"identify", "a.yaml", "--ot", "x"}, "unknown option --ot of identify, did you mean --out?"},
      {{"identify", "a.yaml", "--out"}, "--out needs a value, DIR"},
      {{"identify"}, "identify needs a file: bayesid identify CONFIG"},
      {{"identify", "a.yaml", "b.yaml"}, "unexpected argument b.yaml of identify"},
      {{"check", "a.yaml", "--threads", "0"}, "--threads is 0, must be a whole number from 1"},
      {{"check", "a.yaml", "--seed", "-1"}, "--seed is -1, must be a whole number from 0"},
      {{"check", "a.yaml", "--json=1"}, "--json takes no value, found 1"},
      {{"check", "a.yaml"}, "a.yaml: no such file"},
      {{"validate", "a.yaml"}, "validate needs --model RESULT"},
      {{"demo", "pandas"}, "no demo is named pandas, did you mean panda?"},
  };
  for (const Case& one : cases) {
    const Run run = run_program("/", one.words);
    BOOST_TEST(run.code == 2, one.sentence);
    BOOST_TEST(run.out == "");
    BOOST_TEST(run.err.starts_with("bayesid: " + one.sentence), run.err);
  }
}

BOOST_AUTO_TEST_CASE(program_gives_one_document_also_for_an_error) {
  const Run run = run_program("/", {"check", "a.yaml", "--json"});
  BOOST_TEST(run.code == 2);
  BOOST_TEST(json::parse(run.out)["error"] == "a.yaml: no such file");
}
