// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bayesid/error.hpp"
#include "interrupt.hpp"
#include "math/did_you_mean.hpp"
#include "verbs.hpp"

namespace {

using namespace bayesid;

struct Verb {
  app::Signature signature;
  int (*run)(const app::Arguments&);
};

std::vector<Verb> verbs() {
  return {{app::demo_signature(), app::demo},         {app::init_signature(), app::init},
          {app::check_signature(), app::check},       {app::identify_signature(), app::identify},
          {app::validate_signature(), app::validate}, {app::compare_signature(), app::compare},
          {app::simulate_signature(), app::simulate}, {app::excite_signature(), app::excite},
          {app::report_signature(), app::report},     {app::reproduce_signature(), app::reproduce}};
}

std::string program_help() {
  constexpr std::size_t column = 22;
  std::string out =
      "bayesid: Bayesian system identification of robots\n\nusage: bayesid COMMAND [options]\n\n";
  for (const Verb& verb : verbs()) {
    std::string left = "  " + verb.signature.name + " " + verb.signature.positional;
    left.resize(std::max(column, left.size() + 2), ' ');
    out += left + verb.signature.summary + "\n";
  }
  return out +
         "\nbayesid COMMAND --help shows the options of a command; bayesid --version the "
         "version.\n";
}

[[noreturn]] void fail_unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.push_back(verb.signature.name);
  throw InputError((name[0] == '-' ? "unknown option " : "unknown command ") + name +
                   did_you_mean(name, names) +
                   (did_you_mean(name, names).empty() ? ", see bayesid --help" : ""));
}

int run(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fputs(program_help().c_str(), stderr);
    return app::exit_bad_input;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    std::fputs(program_help().c_str(), stdout);
    return app::exit_done;
  }
  if (words[0] == "--version") {
    std::puts("bayesid " BAYESID_VERSION);
    return app::exit_done;
  }
  for (const Verb& verb : verbs()) {
    if (verb.signature.name != words[0]) continue;
    app::Arguments arguments =
        app::read_arguments(verb.signature, {words.begin() + 1, words.end()});
    arguments.command = {"bayesid"};
    arguments.command.insert(arguments.command.end(), words.begin(), words.end());
    if (arguments.help) {
      std::fputs(app::help_text(verb.signature).c_str(), stdout);
      return app::exit_done;
    }
    return verb.run(arguments);
  }
  fail_unknown(words[0]);
}

/// One sentence for people; for programs, the one document they wait for.
int fail(const std::vector<std::string>& words, int code, const std::string& sentence) {
  std::fprintf(stderr, "bayesid: %s\n", sentence.c_str());
  if (std::find(words.begin(), words.end(), "--json") != words.end()) {
    const nlohmann::json document{{"schema", 1}, {"error", sentence}, {"exit", code}};
    std::puts(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  }
  return code;
}

}  // namespace

int bayesid::app::exit_code(Status status) {
  constexpr int signal_base = 128;
  if (status == Status::converged) return exit_done;
  if (status == Status::interrupted && interrupt() != 0) return signal_base + interrupt();
  return exit_not_converged;
}

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  try {
    app::catch_interrupts();
    return run(words);
  } catch (const InputError& error) {
    return fail(words, app::exit_bad_input, error.what());
  } catch (const std::exception& error) {
    return fail(words, app::exit_fault,
                std::string("internal error, please report it: ") + error.what());
  } catch (...) {
    return fail(words, app::exit_fault, "internal error, please report it");
  }
}
