// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/make_parameter_constraints.hpp"

#include <algorithm>
#include <cmath>

#include "bayesid/error.hpp"
#include "blocks/bounds.hpp"
#include "blocks/choice.hpp"
#include "blocks/hull.hpp"
#include "blocks/inertia_block.hpp"

namespace bayesid::blocks {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

ParameterConstraint negative(ParameterConstraint constraint) {
  constraint.constant = -constraint.constant;
  for (ParameterConstraint::FeatureTerm& term : constraint.features) term.weight = -term.weight;
  for (ParameterConstraint::ScalarTerm& term : constraint.scalars) term.weight = -term.weight;
  return constraint;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " + ") + name;
  return out;
}

/// Adds the parameter constraints of one robot, kind after kind.
class Maker {
 public:
  Maker(const Robot& robot, const Config& config, std::shared_ptr<const ParameterList> list)
      : robot_(robot),
        config_(config),
        list_(*list),
        links_(estimated_links(*list)),
        out_(std::move(list)) {}

  void add_own();
  void add_bounds();
  void add_masses();
  void add_symmetry();
  void add_equal();
  void add_sums();
  void add_centers();
  ParameterConstraints result() { return std::move(out_); }

 private:
  using Members = std::vector<std::pair<std::string, int>>;  // rest of the name, parameter

  void add_range(ParameterConstraint sum, const RangeConfig& range, const std::string& place);
  void add_equal(const std::vector<std::string>& given, const std::string& place);
  Members members(const std::string& name, const std::string& place) const;
  const EstimatedLink* find_link(const std::string& name) const;
  ParameterConstraint sum_of_masses(const std::vector<const Link*>& links) const;
  bool add_term(const std::string& name, double weight, ParameterConstraint& out) const;

  const Robot& robot_;
  const Config& config_;
  const ParameterList& list_;
  std::vector<EstimatedLink> links_;
  ParameterConstraints out_;
};

void Maker::add_range(ParameterConstraint sum, const RangeConfig& range, const std::string& place) {
  const std::string name = sum.name;
  const double constant = sum.constant;
  if (range.is_number()) {
    sum.name = name + " = " + number_text(range.lower);
    sum.is_equality = true;
    sum.constant = constant - range.lower;
    out_.add(std::move(sum), place);
    return;
  }
  if (std::isfinite(range.lower)) {
    ParameterConstraint lower = sum;
    lower.name = name + " >= " + number_text(range.lower);
    lower.constant = constant - range.lower;
    out_.add(std::move(lower), place);
  }
  if (std::isfinite(range.upper)) {
    ParameterConstraint upper = negative(std::move(sum));
    upper.name = name + " <= " + number_text(range.upper);
    upper.constant = range.upper - constant;
    out_.add(std::move(upper), place);
  }
}

const EstimatedLink* Maker::find_link(const std::string& name) const {
  const auto found = std::ranges::find_if(
      links_, [&](const EstimatedLink& one) { return one.inertia->link() == name; });
  return found == links_.end() ? nullptr : &*found;
}

/// A physical value, or else a coordinate, or else a feature; false when nothing has that name.
bool Maker::add_term(const std::string& name, double weight, ParameterConstraint& out) const {
  if (const int physical = list_.find_physical(name); physical >= 0) {
    out.scalars.push_back({physical, weight, false});
    return true;
  }
  if (const int coordinate = list_.find(name); coordinate >= 0) {
    out.scalars.push_back({coordinate, weight, true});
    return true;
  }
  for (std::size_t b = 0; b < list_.blocks.size(); ++b) {
    const std::vector<std::string> names = list_.blocks[b].block->feature_names();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) continue;
    out.features.push_back(
        {static_cast<int>(b), weight * VectorXd::Unit(std::ssize(names), found - names.begin())});
    return true;
  }
  return false;
}

void Maker::add_own() {
  for (const ParameterList::Placed& placed : list_.blocks) {
    for (ParameterConstraint constraint : placed.block->constraints()) {
      for (ParameterConstraint::ScalarTerm& term : constraint.scalars)
        term.parameter += placed.first;
      const bool is_known = std::ranges::none_of(
          constraint.scalars, [&](const auto& term) { return list_.is_free(term.parameter); });
      if (!is_known) out_.add(std::move(constraint), "");
    }
  }
}

void Maker::add_bounds() {
  for (const auto& [name, range] : config_.constraints.bounds) {
    const Bound bound = make_bound(config_, list_, name, range);
    ParameterConstraint value{.name = name};
    if (bound.parameter >= 0) {
      value.scalars.push_back({bound.parameter, 1, true});
    } else {
      add_term(name, 1, value);
    }
    add_range(value, bound.range, key_location(config_, "constraints.bounds." + name));
  }
}

ParameterConstraint Maker::sum_of_masses(const std::vector<const Link*>& links) const {
  ParameterConstraint out;
  for (const Link* link : links) {
    if (const EstimatedLink* estimated = find_link(link->name)) {
      out.scalars.push_back({estimated->first, 1, false});
    } else {
      out.constant += link->pi[0];
    }
  }
  return out;
}

void Maker::add_masses() {
  if (config_.constraints.total_mass) {
    std::vector<const Link*> all;
    for (const Link& link : robot_.links) all.push_back(&link);
    ParameterConstraint sum = sum_of_masses(all);
    sum.name = "total_mass";
    add_range(std::move(sum), *config_.constraints.total_mass,
              key_location(config_, "constraints.total_mass"));
  }
  for (std::size_t i = 0; i < config_.constraints.mass.size(); ++i) {
    const MassConfig& given = config_.constraints.mass[i];
    const std::string key = "constraints.mass[" + std::to_string(i) + "]";
    const Selection selection{.all = false, .names = given.links};
    std::vector<const Link*> chosen;
    for (const int link : choose(config_, key + ".links", selection, names_of(robot_.links)))
      chosen.push_back(&robot_.links[link]);
    ParameterConstraint sum = sum_of_masses(chosen);
    sum.name = "mass of " + joined(given.links);
    add_range(std::move(sum), given.range, key_location(config_, key));
  }
}

void Maker::add_symmetry() {
  for (std::size_t i = 0; i < config_.constraints.symmetry.size(); ++i) {
    const std::string place =
        key_location(config_, "constraints.symmetry[" + std::to_string(i) + "]");
    for (ParameterConstraint& constraint : mirrored(robot_, config_, list_, static_cast<int>(i)))
      out_.add(std::move(constraint), place);
  }
}

/// A name is one parameter, or the beginning of the names of a family.
Maker::Members Maker::members(const std::string& name, const std::string& place) const {
  Members out;
  for (int i = 0; i < static_cast<int>(list_.all.size()); ++i) {
    const Parameter& one = list_.all[i];
    if (one.name == name || one.physical == name) return {{std::string(), i}};
    if (one.name.starts_with(name + ".")) out.emplace_back(one.name.substr(name.size()), i);
  }
  if (!out.empty()) return out;
  throw InputError(place + ": unknown name \"" + name + "\"" +
                   suggestion(name, list_.value_names()));
}

void Maker::add_equal(const std::vector<std::string>& given, const std::string& place) {
  const Members first = members(given[0], place);
  for (std::size_t k = 1; k < given.size(); ++k) {
    const Members other = members(given[k], place);
    const bool match = std::equal(first.begin(), first.end(), other.begin(), other.end(),
                                  [](const auto& a, const auto& b) { return a.first == b.first; });
    if (!match)
      throw InputError(place + ": " + given[0] + " and " + given[k] +
                       " have different parameters, expected the same ones");
    for (std::size_t i = 0; i < first.size(); ++i) {
      const int a = first[i].second, b = other[i].second;
      if (a == b) throw InputError(place + ": " + given[k] + " is named twice");
      const bool same_map = list_.all[a].rate == list_.all[b].rate;
      out_.add({.name = list_.all[a].name + " = " + list_.all[b].name,
                .is_equality = true,
                .scalars = {{a, 1, same_map}, {b, -1, same_map}}},
               place);
    }
  }
}

void Maker::add_equal() {
  for (std::size_t i = 0; i < config_.constraints.equal.size(); ++i)
    add_equal(config_.constraints.equal[i],
              key_location(config_, "constraints.equal[" + std::to_string(i) + "]"));
}

void Maker::add_sums() {
  for (std::size_t i = 0; i < config_.constraints.linear.size(); ++i) {
    const LinearConfig& given = config_.constraints.linear[i];
    const std::string key = "constraints.linear[" + std::to_string(i) + "]";
    ParameterConstraint sum;
    for (const auto& [name, weight] : given.terms) {
      if (!add_term(name, weight, sum))
        throw InputError(key_location(config_, key + ".terms") + ": unknown name \"" + name + "\"" +
                         suggestion(name, list_.value_names()));
      sum.name += (sum.name.empty() ? "" : " + ") + number_text(weight) + " " + name;
    }
    add_range(std::move(sum), given.range, key_location(config_, key));
  }
}

/// c inside: n·c ≤ b is n·h ≤ b m.
void Maker::add_centers() {
  constexpr const char* axes[] = {"x", "y", "z"};
  std::vector<std::string> known;
  for (const EstimatedLink& one : links_) known.push_back(one.inertia->link());
  for (const auto& [name, given] : config_.constraints.com) {
    const std::string key = "constraints.com." + name, place = key_location(config_, key);
    const EstimatedLink* link = find_link(name);
    if (!link) throw_unknown(config_, key, name, known);
    const auto keep = [&](const std::string& side, const Vector3d& normal, double reach) {
      ParameterConstraint out{.name = "com." + name + side};
      out.features.push_back({link->block, reach * LinkFeatures::Unit(0)});
      for (int i = 0; i < 3; ++i) {
        if (normal[i] != 0)
          out.features.push_back({link->block, -normal[i] * LinkFeatures::Unit(1 + i)});
      }
      out_.add(std::move(out), place);
    };
    for (int i = 0; given.box && i < 3; ++i) {
      const RangeConfig& range = (*given.box)[i];
      keep(std::string(".") + axes[i] + " <= " + number_text(range.upper), Vector3d::Unit(i),
           range.upper);
      keep(std::string(".") + axes[i] + " >= " + number_text(range.lower), -Vector3d::Unit(i),
           -range.lower);
    }
    if (given.hull.empty()) continue;
    const std::vector<HalfSpace> sides = convex_hull(given.hull);
    if (sides.empty())
      throw InputError(key_location(config_, key + ".hull") +
                       ": the points lie in one plane, expected points that enclose a volume");
    for (std::size_t i = 0; i < sides.size(); ++i)
      keep(" inside side " + std::to_string(i + 1) + " of its hull", sides[i].normal,
           sides[i].reach);
  }
}

}  // namespace

ParameterConstraints make_parameter_constraints(const Robot& robot, const Config& config,
                                                const std::shared_ptr<const ParameterList>& list) {
  Maker maker(robot, config, list);
  maker.add_own();
  maker.add_bounds();
  maker.add_masses();
  maker.add_symmetry();
  maker.add_equal();
  maker.add_sums();
  maker.add_centers();
  return maker.result();
}

}  // namespace bayesid::blocks
