// SPDX-License-Identifier: BSD-3-Clause
#include "robot/xml_scanner.hpp"

#include <algorithm>

namespace bayesid {
namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

const XmlTag::Attribute* XmlTag::find(std::string_view attribute) const {
  const auto found = std::ranges::find(attributes, attribute, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

std::size_t XmlScanner::skip_past(std::string_view mark, std::size_t from) const {
  const std::size_t found = text_.find(mark, from);
  return found == std::string_view::npos ? text_.size() : found + mark.size();
}

/// <!DOCTYPE …> may hold declarations of its own in [ ].
std::size_t XmlScanner::skip_declaration(std::size_t from) const {
  const std::size_t mark = std::min(text_.find_first_of("[>", from), text_.size());
  if (mark < text_.size() && text_[mark] == '[') return skip_past(">", skip_past("]", mark));
  return skip_past(">", mark);
}

std::optional<XmlTag> XmlScanner::next() {
  while (at_ < text_.size()) {
    at_ = std::min(text_.find('<', at_), text_.size());
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) {
      at_ = skip_past("-->", at_ + 4);
    } else if (rest.starts_with("<![CDATA[")) {
      at_ = skip_past("]]>", at_);
    } else if (rest.starts_with("<?")) {
      at_ = skip_past("?>", at_);
    } else if (rest.starts_with("<!")) {
      at_ = skip_declaration(at_);
    } else if (!rest.empty()) {
      XmlTag tag = scan_tag(at_);
      at_ = tag.end;
      return tag;
    }
  }
  return std::nullopt;
}

XmlTag XmlScanner::scan_tag(std::size_t begin) const {
  XmlTag tag;
  tag.begin = begin;
  tag.closes = text_.substr(begin).starts_with("</");
  tag.opens = !tag.closes;
  const std::size_t name_begin = begin + (tag.closes ? 2 : 1);
  tag.name_end = std::min(text_.find_first_of(" \t\r\n/>", name_begin), text_.size());
  tag.name = text_.substr(name_begin, tag.name_end - name_begin);

  std::size_t at = tag.name_end;
  while ((at = std::min(text_.find_first_not_of(blanks, at), text_.size())) < text_.size()) {
    if (text_[at] == '>') break;
    if (text_[at] == '/') {
      tag.closes = true;
      ++at;
      continue;
    }
    const std::size_t word_end = std::min(text_.find_first_of(" \t\r\n=", at), text_.size());
    const std::size_t quote = std::min(text_.find_first_of("\"'", word_end), text_.size() - 1);
    const std::size_t closing = std::min(text_.find(text_[quote], quote + 1), text_.size());
    tag.attributes.push_back(
        {.name = text_.substr(at, word_end - at), .begin = quote + 1, .end = closing});
    at = closing + 1;
  }
  tag.end = std::min(at + 1, text_.size());
  return tag;
}

}  // namespace bayesid
