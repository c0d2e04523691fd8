// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <string>

#include "bayesid/config.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace {

using bayesid::test::input_error;
using bayesid::test::TempFolder;

std::string head() {
  return "schema: 1\nmodel: {urdf: arm.urdf}\n";
}

/// The message for a file with that text, without the folder.
std::string message(const std::string& text) {
  const TempFolder folder;
  const std::string file = folder.write("arm.yaml", text);
  const std::string full = input_error([&] { bayesid::read_config(file); });
  const std::string path = folder.path().string();
  return full.starts_with(path) ? full.substr(path.size() + 1) : full;
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(yaml_syntax_errors_name_line_and_column) {
  BOOST_TEST(message(head() + "solver:\n\ttolerance: 1\n") ==
             "arm.yaml:4:11: the line is indented with a tab, use spaces");
  BOOST_TEST(message(head() + "solver: {tolerance: 1\n").starts_with("arm.yaml:4:1: "));
  BOOST_TEST(message(head() + "solver: \"abc\n").starts_with("arm.yaml:"));
  BOOST_TEST(message(head() + "logs: *nothing\n").starts_with("arm.yaml:3:7: "));
}

BOOST_AUTO_TEST_CASE(yaml_duplicate_keys_are_errors) {
  BOOST_TEST(message(head() + "solver: {}\nsolver: {}\n") ==
             "arm.yaml:4: key solver is given twice, first at line 3");
  BOOST_TEST(message(head() + "solver:\n  tolerance: 1\n  tolerance: 2\n") ==
             "arm.yaml:5: key tolerance is given twice, first at line 4");
}

BOOST_AUTO_TEST_CASE(yaml_files_that_are_no_configuration_are_errors) {
  BOOST_TEST(message("") == "arm.yaml: is empty, expected `schema: 1`, `model:` …");
  BOOST_TEST(message("# only a comment\n") ==
             "arm.yaml: is empty, expected `schema: 1`, `model:` …");
  BOOST_TEST(message("- a\n- b\n") ==
             "arm.yaml:1: is a list, expected keys such as schema, model, logs");
  BOOST_TEST(message("hello\n") ==
             "arm.yaml:1: is hello, expected keys such as schema, model, logs");
  BOOST_TEST(message(head() + "---\nschema: 1\n") ==
             "arm.yaml: holds more than one document (---), expected one");
  BOOST_TEST(message(std::string("\xff\xfe"
                                 "s\0c\0",
                                 6)) == "arm.yaml: is not a text file in UTF-8");
  BOOST_TEST(message(head() + "? [a, b]\n: 1\n") ==
             "arm.yaml:3: a key must be a word, not a list or a map");

  const TempFolder folder;
  BOOST_TEST(input_error([&] { bayesid::read_config(folder.path().string() + "/none.yaml"); }) ==
             folder.path().string() + "/none.yaml: no such file");
  BOOST_TEST(input_error([&] { bayesid::read_config(folder.path()); }) ==
             folder.path().string() + ": is a folder, expected a configuration file");
}

BOOST_AUTO_TEST_CASE(yaml_files_too_large_or_too_deep_are_errors) {
  const std::string deep = " is nested more than 64 levels deep";
  BOOST_TEST(message(head() + '#' + std::string(1'048'576, 'x')) ==
             "arm.yaml: is larger than 1 MB, too large for a configuration");
  BOOST_TEST(message(head() + "logs: " + std::string(500'000, '[')).starts_with("arm.yaml:3: "));
  BOOST_TEST(message(head() + "logs: " + std::string(700, '[') + std::string(700, ']')) ==
             "arm.yaml:3:" + deep);
  BOOST_TEST(message(head() + "logs: " + repeated("{a: ", 100'000)) == "arm.yaml:3:" + deep);
  BOOST_TEST(message(head() + "logs:\n" + repeated("- ", 100'000)) == "arm.yaml:4:" + deep);
  BOOST_TEST(message(head() + "logs: [" + repeated("0,", 200'000) + "0]") ==
             "arm.yaml:3: holds more than 100000 values");
  BOOST_TEST(message(head() + "logs: [{file: " + std::string(500'000, 'a') + "}]") ==
             "arm.yaml:3: has a word of more than 4096 letters");

  std::string stairs = head() + "logs:\n";
  for (int i = 1; i < 500; ++i) stairs += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  BOOST_TEST(message(stairs).find(deep) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(yaml_inputs_known_to_harm_the_parser_are_errors) {
  for (const char* text : {"[[:",        "[[:\n",      "{{:",
                           "[?",         "{? ",        "- ? [",
                           "!<",         "&a *a",      "%YAML 9.9\n---\n",
                           "? ? ? ? ?",  ": : : :",    "[: : :",
                           "a: &a [*a]", "\"\\x",      "|",
                           ">-9",        "]",          "}",
                           "[[[}}}",     "!!binary x", "<<: {schema: 1}",
                           "{[a]: b}"}) {
    BOOST_TEST(message(text).starts_with("arm.yaml"), text);
    BOOST_TEST(message(head() + "logs: " + text).starts_with("arm.yaml"), text);
  }
  BOOST_TEST(message(repeated("[[:", 10'000)).starts_with("arm.yaml"));
  BOOST_TEST(message(repeated("? ", 10'000)).starts_with("arm.yaml"));
  BOOST_TEST(message(repeated("{a: [", 10'000)).starts_with("arm.yaml"));
}

BOOST_AUTO_TEST_CASE(yaml_aliases_are_values_and_cannot_multiply_without_end) {
  const TempFolder folder;
  const bayesid::Config config = bayesid::read_config(
      folder.write("arm.yaml", head() + "measurements: {position: &std [1, 2], velocity: *std}\n"));
  BOOST_TEST(config.measurements.velocity.list == (std::vector<double>{1, 2}),
             boost::test_tools::per_element());

  std::string laughs = head() + "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string name = "a" + std::to_string(i);
    laughs.append(name).append(": &").append(name).append(" [");
    laughs.append(repeated("*a" + std::to_string(i - 1) + " , ", 9)).append("]\n");
  }
  BOOST_TEST(message(laughs).find("holds more than 100000 values") != std::string::npos);
  BOOST_TEST(message(head() + "a: &a x\nb: [" + repeated("*a , ", 101) + "]\n") ==
             "arm.yaml:4: has more than 100 aliases (*name)");
}
