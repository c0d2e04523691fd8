// SPDX-License-Identifier: BSD-3-Clause
#include "robot/xml_reader.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "bayesid/error.hpp"
#include "math/parse_number.hpp"

namespace bayesid {
namespace {

std::vector<std::string_view> split_words(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<std::string_view> words;
  std::size_t begin = text.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

/// <mass value="1,5"> of link 'arm'
std::string describe(const tinyxml2::XMLElement& element, const tinyxml2::XMLAttribute& attribute,
                     const std::string& owner) {
  return std::string("<") + element.Name() + " " + attribute.Name() + "=\"" + attribute.Value() +
         "\"> of " + owner;
}

}  // namespace

std::string read_text(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw InputError(file + ": is a folder, expected a URDF file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file + ": cannot be read; check the path and the permissions");
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(file + ":1: the file is empty, expected a URDF with a <robot> element");
  return text;
}

bool parse_number(std::string_view word, double& value) {
  const std::optional<double> number = parse_number<double>(word);
  if (number) value = *number;
  return number.has_value();
}

void XmlReader::fail(int line, const std::string& sentence) const {
  throw InputError(place(line) + ": " + sentence);
}

std::string XmlReader::word(const tinyxml2::XMLElement& element, const char* attribute,
                            const std::string& owner) const {
  const char* value = element.Attribute(attribute);
  if (!value)
    fail(element.GetLineNum(), std::string("<") + element.Name() + "> of " + owner +
                                   " has no attribute '" + attribute + "'; add it");
  if (split_words(value).empty())
    fail(element.GetLineNum(), std::string("<") + element.Name() + "> of " + owner +
                                   " has an empty attribute '" + attribute + "'; fill it in");
  return value;
}

double XmlReader::number(const tinyxml2::XMLElement& element, const char* attribute,
                         const std::string& owner) const {
  word(element, attribute, owner);
  return number_or(element, attribute, owner, 0.0);
}

double XmlReader::number_or(const tinyxml2::XMLElement& element, const char* attribute,
                            const std::string& owner, double otherwise) const {
  const tinyxml2::XMLAttribute* found = element.FindAttribute(attribute);
  if (!found) return otherwise;
  const std::vector<std::string_view> words = split_words(found->Value());
  double value = 0;
  if (words.size() != 1 || !parse_number(words[0], value))
    fail(found->GetLineNum(), describe(element, *found, owner) +
                                  " is not a finite number; write one number with a decimal "
                                  "point, as in 1.5");
  return value;
}

Eigen::Vector3d XmlReader::vector_or(const tinyxml2::XMLElement& element, const char* attribute,
                                     const std::string& owner,
                                     const Eigen::Vector3d& otherwise) const {
  const tinyxml2::XMLAttribute* found = element.FindAttribute(attribute);
  if (!found) return otherwise;
  const std::vector<std::string_view> words = split_words(found->Value());
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  bool valid = words.size() == 3;
  for (int i = 0; valid && i < 3; ++i) valid = parse_number(words[i], value[i]);
  if (!valid)
    fail(found->GetLineNum(), describe(element, *found, owner) +
                                  " is not three finite numbers; write them with decimal points "
                                  "and blanks between, as in 0 0 1.5");
  return value;
}

const tinyxml2::XMLElement& XmlReader::child(const tinyxml2::XMLElement& element, const char* name,
                                             const std::string& owner) const {
  const tinyxml2::XMLElement* found = element.FirstChildElement(name);
  if (!found)
    fail(element.GetLineNum(),
         std::string("<") + element.Name() + "> of " + owner + " has no <" + name + ">; add it");
  return *found;
}

}  // namespace bayesid
