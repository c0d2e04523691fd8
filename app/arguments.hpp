// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

namespace bayesid::app {

/// An option of a command; without the name of a value it is a switch.
struct Option {
  std::string name;   // "--out"
  std::string value;  // "DIR"; "": a switch
  std::string help;
};

/// What one command takes.
struct Signature {
  std::string name;
  std::string positional;  // "CONFIG", "[NAME]" or ""
  std::string summary;
  std::vector<Option> options;  // beside those of every command
  std::string details = {};     // after the options on the page of --help
  bool takes_more = false;      // further words after the first
};

/// The command line, checked against a signature.
struct Arguments {
  std::string positional;              // "" when it was left out
  std::vector<std::string> more = {};  // words after it
  std::map<std::string, std::string> values;
  bool help = false, json = false, quiet = false;
  int threads = 1;
  unsigned seed = 0;
  bool has_seed = false;
  std::vector<std::string> command = {};  // all words, the program first

  bool has(const std::string& option) const { return values.count(option) > 0; }
  std::string value(const std::string& option, const std::string& otherwise) const;
  /// Words with commas between them; none when it was left out.
  std::vector<std::string> list(const std::string& option) const;
  /// Throws InputError when the option is there and no such number.
  unsigned number(const std::string& option, unsigned smallest, unsigned largest,
                  unsigned otherwise) const;
};

/// Throws InputError with a suggestion for what is not known.
Arguments read_arguments(const Signature& signature, const std::vector<std::string>& words);

/// The page of --help.
std::string help_text(const Signature& signature);

}  // namespace bayesid::app
