// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayesid {

/// A tag of an XML text with byte positions: text.substr(begin, end − begin) is `<name …>`.
struct XmlTag {
  /// The value is text.substr(begin, end − begin), without its quotes.
  struct Attribute {
    std::string_view name;
    std::size_t begin = 0, end = 0;
  };
  bool opens = false, closes = false;  // <a> opens, </a> closes, <a/> does both
  std::string_view name;
  std::size_t begin = 0, name_end = 0, end = 0;
  std::vector<Attribute> attributes;

  const Attribute* find(std::string_view attribute) const;
};

/// Walks through the tags of well-formed XML; skips comments, CDATA, <?…?> and <!…>. The text must
/// outlive the tags.
class XmlScanner {
 public:
  explicit XmlScanner(std::string_view text) : text_(text) {}

  /// The next tag; nothing at the end.
  std::optional<XmlTag> next();

 private:
  std::size_t skip_past(std::string_view mark, std::size_t from) const;
  std::size_t skip_declaration(std::size_t from) const;
  XmlTag scan_tag(std::size_t begin) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace bayesid
