// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "bayesid/error.hpp"
#include "bayesid/robot.hpp"
#include "robot/link_inertia.hpp"
#include "robot/urdf_tree.hpp"
#include "robot/xml_reader.hpp"
#include "robot/xml_scanner.hpp"
#include "robot/xyz_text.hpp"

namespace bayesid {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Bytes [begin, end) of the text become `text`.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string text;
};

/// The tags of one <link><inertial>.
struct InertialTags {
  std::optional<XmlTag> inertial, origin, mass, inertia;
};

/// The first <inertial> of each <link> directly below <robot>, in the order of the file.
std::vector<InertialTags> find_inertials(std::string_view text) {
  std::vector<InertialTags> links;
  std::vector<std::string_view> open;  // names of the elements around the current place
  bool is_first = true;                // the <inertial> we are in is the first of its link
  XmlScanner scanner(text);
  while (const std::optional<XmlTag> tag = scanner.next()) {
    if (!tag->opens) {
      if (!open.empty()) open.pop_back();
      continue;
    }
    const auto keep_first = [&](std::optional<XmlTag>& place) {
      if (!place) place = tag;
    };
    if (open.size() == 1 && tag->name == "link") links.emplace_back();
    const bool in_link = open.size() >= 2 && open[1] == "link";
    if (in_link && open.size() == 2 && tag->name == "inertial") {
      is_first = !links.back().inertial;
      keep_first(links.back().inertial);
    }
    if (in_link && open.size() == 3 && open[2] == "inertial" && is_first) {
      if (tag->name == "origin") keep_first(links.back().origin);
      if (tag->name == "mass") keep_first(links.back().mass);
      if (tag->name == "inertia") keep_first(links.back().inertia);
    }
    if (!tag->closes) open.push_back(tag->name);
  }
  return links;
}

/// Writes numbers one by one into a value, blanks between them stay; a number that already has its
/// value keeps its spelling.
void set_numbers(std::string_view text, const XmlTag& tag, const std::string& attribute,
                 std::span<const double> numbers, std::vector<Edit>& edits) {
  const XmlTag::Attribute* found = tag.find(attribute);
  if (!found) {
    std::string value;
    for (const double number : numbers) value += (value.empty() ? "" : " ") + shortest(number);
    edits.push_back({tag.name_end, tag.name_end, " " + attribute + "=\"" + value + "\""});
    return;
  }
  std::size_t end = found->begin;
  for (const double number : numbers) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks, end), found->end);
    end = std::min(text.find_first_of(blanks, begin), found->end);
    double old = 0;
    if (parse_number(text.substr(begin, end - begin), old) && old == number) continue;
    edits.push_back({begin, end, shortest(number)});
  }
}

/// A new <origin> goes on a line of its own, before what comes first in <inertial>.
Edit insert_origin(std::string_view text, const XmlTag& inertial, const Eigen::Vector3d& com) {
  const std::size_t next = std::min(text.find_first_not_of(blanks, inertial.end), text.size());
  const std::string blank(text.substr(inertial.end, next - inertial.end));
  return {inertial.end, inertial.end,
          blank + "<origin xyz=\"" + xyz_text(com) + "\" rpy=\"0 0 0\"/>"};
}

void edit_link(std::string_view text, const InertialTags& tags, const CentralInertia& now,
               std::vector<Edit>& edits) {
  set_numbers(text, *tags.mass, "value", std::array{now.mass}, edits);
  if (tags.origin) {
    set_numbers(text, *tags.origin, "xyz", std::span(now.com.data(), 3), edits);
    if (tags.origin->find("rpy"))
      set_numbers(text, *tags.origin, "rpy", std::array{0., 0., 0.}, edits);
  } else if (!now.com.isZero(0)) {
    edits.push_back(insert_origin(text, *tags.inertial, now.com));
  }
  const std::string axes = "xyz";
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      set_numbers(text, *tags.inertia, std::string("i") + axes[i] + axes[j],
                  std::array{now.inertia(i, j)}, edits);
}

std::string apply_edits(const std::string& text, std::vector<Edit> edits) {
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out.append(text, at, edit.begin - at).append(edit.text);
    at = edit.end;
  }
  return out.append(text, at);
}

}  // namespace

std::string rewrite_urdf(const std::string& urdf_file,
                         const std::vector<std::pair<std::string, InertialParameters>>& links) {
  const std::string text = read_text(urdf_file);
  const UrdfTree tree = parse_urdf(urdf_file, text);
  const std::vector<InertialTags> tags = find_inertials(text);
  if (tags.size() != tree.links.size())
    throw std::logic_error(urdf_file + ": links found by the scanner and the parser differ");

  std::vector<Edit> edits;
  for (const auto& [name, pi] : links) {
    const UrdfLink* link = tree.find_link(name);
    if (!link) throw InputError(urdf_file + ": there is no link '" + name + "' to write");
    if (!link->inertial)
      throw InputError(urdf_file + ":" + std::to_string(link->line) + ": link '" + name +
                       "' has no <inertial> to write numbers into; add one");
    if (!(pi[0] > 0) || !pi.allFinite())
      throw InputError(urdf_file + ": link '" + name + "' cannot be written with mass " +
                       shortest(pi[0]));
    edit_link(text, tags[link - tree.links.data()], central_from_parameters(pi), edits);
  }
  return apply_edits(text, std::move(edits));
}

}  // namespace bayesid
