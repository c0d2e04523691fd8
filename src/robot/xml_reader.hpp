// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tinyxml2.h>

#include <Eigen/Core>
#include <string>
#include <string_view>

namespace bayesid {

/// The whole file, byte for byte; throws InputError when it cannot be read or is empty.
std::string read_text(const std::string& file);

/// A finite decimal number and nothing else, whatever the locale; false when it is not one.
bool parse_number(std::string_view word, double& value);

/// Reads elements of one XML file strictly: every error names file, line, element and owner.
class XmlReader {
 public:
  explicit XmlReader(std::string file) : file_(std::move(file)) {}

  std::string place(int line) const { return file_ + ":" + std::to_string(line); }
  [[noreturn]] void fail(int line, const std::string& sentence) const;

  /// An attribute that must be there and not be empty.
  std::string word(const tinyxml2::XMLElement& element, const char* attribute,
                   const std::string& owner) const;
  double number(const tinyxml2::XMLElement& element, const char* attribute,
                const std::string& owner) const;
  double number_or(const tinyxml2::XMLElement& element, const char* attribute,
                   const std::string& owner, double otherwise) const;
  Eigen::Vector3d vector_or(const tinyxml2::XMLElement& element, const char* attribute,
                            const std::string& owner, const Eigen::Vector3d& otherwise) const;

  /// The child element that must be there.
  const tinyxml2::XMLElement& child(const tinyxml2::XMLElement& element, const char* name,
                                    const std::string& owner) const;

 private:
  std::string file_;
};

}  // namespace bayesid
