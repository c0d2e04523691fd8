// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>
#include <thread>

#include "bayesid/error.hpp"
#include "math/did_you_mean.hpp"

namespace bayesid::app {
namespace {

const std::vector<Option>& common_options() {
  static const std::vector<Option> options{
      {"--json", "", "one JSON document on standard output, everything else on standard error"},
      {"--quiet", "", "no progress and no summary; warnings and errors are still printed"},
      {"--threads", "N", "number of threads (default: all cores); results do not depend on it"},
      {"--seed", "N", "seed of all random numbers"},
      {"--help", "", "show this help"},
  };
  return options;
}

std::vector<Option> all_options(const Signature& signature) {
  std::vector<Option> out = signature.options;
  out.insert(out.end(), common_options().begin(), common_options().end());
  return out;
}

unsigned whole_number(const std::string& option, const std::string& text, unsigned smallest,
                      unsigned largest) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed == std::errc() && stop == end && value >= smallest && value <= largest) return value;
  throw InputError(option + " is " + text + ", must be a whole number from " +
                   std::to_string(smallest) + " to " + std::to_string(largest));
}

const Option& find_option(const Signature& signature, const std::vector<Option>& options,
                          const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return option.name == name; });
  if (found != options.end()) return *found;
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const Option& option : options) names.push_back(option.name);
  throw InputError("unknown option " + name + " of " + signature.name + did_you_mean(name, names));
}

void read_common(Arguments& out) {
  constexpr unsigned most_threads = 1024;
  out.help = out.has("--help");
  out.json = out.has("--json");
  out.quiet = out.has("--quiet");
  out.has_seed = out.has("--seed");
  if (out.has_seed) {
    out.seed =
        whole_number("--seed", out.values.at("--seed"), 0, std::numeric_limits<unsigned>::max());
  }
  out.threads = static_cast<int>(
      out.has("--threads") ? whole_number("--threads", out.values.at("--threads"), 1, most_threads)
                           : std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

unsigned Arguments::number(const std::string& option, unsigned smallest, unsigned largest,
                           unsigned otherwise) const {
  return has(option) ? whole_number(option, values.at(option), smallest, largest) : otherwise;
}

std::string Arguments::value(const std::string& option, const std::string& otherwise) const {
  const auto found = values.find(option);
  return found == values.end() ? otherwise : found->second;
}

std::vector<std::string> Arguments::list(const std::string& option) const {
  std::vector<std::string> out;
  std::istringstream words(value(option, ""));
  for (std::string word; std::getline(words, word, ',');) out.push_back(word);
  return out;
}

Arguments read_arguments(const Signature& signature, const std::vector<std::string>& words) {
  const std::vector<Option> options = all_options(signature);
  Arguments out;
  bool has_positional = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() < 2 || word[0] != '-') {
      if (has_positional && signature.takes_more) {
        out.more.push_back(word);
        continue;
      }
      if (has_positional || signature.positional.empty()) {
        throw InputError("unexpected argument " + word + " of " + signature.name);
      }
      out.positional = word;
      has_positional = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    const Option& option =
        find_option(signature, options, word == "-h" ? "--help" : word.substr(0, equals));
    std::string value;
    if (!option.value.empty()) {
      const bool is_last = i + 1 == words.size();
      if (equals == std::string::npos && is_last) {
        throw InputError(option.name + " needs a value, " + option.value);
      }
      value = equals == std::string::npos ? words[++i] : word.substr(equals + 1);
      if (value.empty()) throw InputError(option.name + " is empty, expected " + option.value);
    } else if (equals != std::string::npos) {
      throw InputError(option.name + " takes no value, found " + word.substr(equals + 1));
    }
    out.values[option.name] = value;
  }
  read_common(out);
  const bool needs_positional = !signature.positional.empty() && signature.positional[0] != '[';
  if (needs_positional && out.positional.empty() && !out.help) {
    throw InputError(signature.name + " needs " +
                     (signature.positional == "CONFIG" ? "a file" : "an argument") + ": bayesid " +
                     signature.name + " " + signature.positional +
                     (signature.details.empty() ? "" : "\n" + signature.details));
  }
  return out;
}

std::string help_text(const Signature& signature) {
  constexpr std::size_t column = 20;
  std::string out = "usage: bayesid " + signature.name;
  if (!signature.positional.empty()) out += " " + signature.positional;
  out += " [options]\n\n" + signature.summary + "\n\n";
  for (const Option& option : all_options(signature)) {
    std::string left = "  " + option.name + (option.value.empty() ? "" : " " + option.value);
    left.resize(std::max(column, left.size() + 2), ' ');
    out += left + option.help + "\n";
  }
  return out + (signature.details.empty() ? "" : "\n" + signature.details);
}

}  // namespace bayesid::app
