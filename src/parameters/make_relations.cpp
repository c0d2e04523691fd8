// SPDX-License-Identifier: BSD-3-Clause
// What is known of parameters together: masses, equal values, sums, places of centres of mass.
#include <algorithm>
#include <cmath>

#include "bayesid/error.hpp"
#include "bayesid/parameters/parameter_set.hpp"
#include "parameters/choice.hpp"
#include "parameters/hull.hpp"
#include "parameters/link_trait_names.hpp"

namespace bayesid {

using Eigen::Vector3d;

namespace {

/// Numbers of a link that its traits depend on.
bool touches(const LinkTraits& weight, int coordinate) {
  const bool first_moment = !weight.segment<3>(1).isZero(0), com = !weight.segment<3>(10).isZero(0);
  if (!weight.segment<6>(4).isZero(0)) return true;
  if (coordinate == 0) return weight[0] != 0 || com;
  return coordinate < 4 ? first_moment || com : !weight.tail<6>().isZero(0);
}

Relation negative(Relation relation) {
  relation.constant = -relation.constant;
  for (Relation::LinkTerm& term : relation.links) term.weight = -term.weight;
  for (Relation::ScalarTerm& term : relation.scalars) term.weight = -term.weight;
  return relation;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " + ") + name;
  return out;
}

}  // namespace

bool ParameterSet::depends_on_free(const Relation& relation) const {
  for (const Relation::LinkTerm& term : relation.links) {
    for (int i = 0; i < 10; ++i) {
      if (touches(term.weight, i) && is_free(term.first + i)) return true;
    }
  }
  return std::any_of(relation.scalars.begin(), relation.scalars.end(),
                     [&](const Relation::ScalarTerm& term) { return is_free(term.parameter); });
}

/// A relation between fixed parameters is checked and forgotten.
void ParameterSet::add_relation(Relation relation, const std::string& place) {
  if (depends_on_free(relation)) {
    relations_.push_back(std::move(relation));
    return;
  }
  const double value = relation_at(relation, all_values(prior())).value;
  if (relation.is_equality ? std::abs(value) <= 1e-9 : value >= 0) return;
  throw InputError(place + ": " + relation.name + " does not hold, it is off by " +
                   number_text(std::abs(value)) + ", and all parameters in it are fixed");
}

void ParameterSet::add_range(Relation sum, const RangeConfig& range, const std::string& place) {
  const std::string name = sum.name;
  const double constant = sum.constant;
  if (range.is_number()) {
    sum.name = name + " = " + number_text(range.lower);
    sum.is_equality = true;
    sum.constant = constant - range.lower;
    add_relation(std::move(sum), place);
    return;
  }
  if (std::isfinite(range.lower)) {
    Relation lower = sum;
    lower.name = name + " >= " + number_text(range.lower);
    lower.constant = constant - range.lower;
    add_relation(std::move(lower), place);
  }
  if (std::isfinite(range.upper)) {
    Relation upper = negative(std::move(sum));
    upper.name = name + " <= " + number_text(range.upper);
    upper.constant = range.upper - constant;
    add_relation(std::move(upper), place);
  }
}

const ParameterSet::LinkBlock* ParameterSet::find_link(const std::string& name) const {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [&](const LinkBlock& block) { return block.name == name; });
  return found == links_.end() ? nullptr : &*found;
}

/// A physical value, or else a coordinate; false when nothing has that name.
bool ParameterSet::add_term(const std::string& name, double weight, Relation& out) const {
  const auto physical = std::find_if(all_.begin(), all_.end(),
                                     [&](const Parameter& p) { return p.physical == name; });
  if (physical != all_.end()) {
    out.scalars.push_back({static_cast<int>(physical - all_.begin()), weight, false});
    return true;
  }
  if (const int coordinate = find(name); coordinate >= 0) {
    out.scalars.push_back({coordinate, weight, true});
    return true;
  }
  for (const LinkBlock& block : links_) {
    for (const LinkTraitName& one : link_trait_names) {
      if (name != one.family + ("." + block.name + ".") + one.entry) continue;
      out.links.push_back({block.first, weight * LinkTraits::Unit(one.trait)});
      return true;
    }
  }
  return false;
}

std::vector<std::string> ParameterSet::value_names() const {
  std::vector<std::string> out = names_of(all_);
  for (const Parameter& p : all_) {
    if (!p.physical.empty() && p.physical != p.name) out.push_back(p.physical);
  }
  for (const LinkBlock& block : links_) {
    for (const LinkTraitName& one : link_trait_names)
      out.push_back(one.family + ("." + block.name + ".") + one.entry);
  }
  return out;
}

void ParameterSet::add_relations(const Robot& robot, const Config& config) {
  relate_stribeck(config);
  relate_bounds(config);
  relate_masses(robot, config);
  for (std::size_t i = 0; i < config.constraints.symmetry.size(); ++i)
    relate_mirrored(robot, config, static_cast<int>(i));
  for (std::size_t i = 0; i < config.constraints.equal.size(); ++i)
    relate_equal(config, static_cast<int>(i));
  relate_sums(config);
  relate_centers(config);
}

void ParameterSet::relate_stribeck(const Config& config) {
  for (const FrictionBlock& block : friction_) {
    if (block.index[1] < 0 || (!is_free(block.index[1]) && !is_free(block.index[2]))) continue;
    add_relation({.name = "friction." + drives_[block.drive].name + ".stribeck1 >= stribeck2",
                  .scalars = {{block.index[1], 1, false}, {block.index[2], -1, false}}},
                 key_place(config, "parameters.friction"));
  }
}

void ParameterSet::relate_masses(const Robot& robot, const Config& config) {
  const auto sum_of = [&](const std::vector<const Link*>& links) {
    Relation out;
    for (const Link* link : links) {
      const LinkBlock* block = find_link(link->name);
      if (block) {
        out.scalars.push_back({block->first, 1, false});
      } else {
        out.constant += link->pi[0];
      }
    }
    return out;
  };
  if (config.constraints.total_mass) {
    std::vector<const Link*> all;
    for (const Link& link : robot.links) all.push_back(&link);
    Relation sum = sum_of(all);
    sum.name = "total_mass";
    add_range(std::move(sum), *config.constraints.total_mass,
              key_place(config, "constraints.total_mass"));
  }
  for (std::size_t i = 0; i < config.constraints.mass.size(); ++i) {
    const MassConfig& given = config.constraints.mass[i];
    const std::string key = "constraints.mass[" + std::to_string(i) + "]";
    const Selection selection{.all = false, .names = given.links};
    std::vector<const Link*> chosen;
    for (const int link : choose(config, key + ".links", selection, names_of(robot.links)))
      chosen.push_back(&robot.links[link]);
    Relation sum = sum_of(chosen);
    sum.name = "mass of " + joined(given.links);
    add_range(std::move(sum), given.range, key_place(config, key));
  }
}

void ParameterSet::relate_equal(const Config& config, int index) {
  const std::vector<std::string>& given = config.constraints.equal[index];
  const std::string place = key_place(config, "constraints.equal[" + std::to_string(index) + "]");
  // A name is one parameter, or the beginning of the names of a family.
  const auto members = [&](const std::string& name) {
    std::vector<std::pair<std::string, int>> out;  // rest of the name, parameter
    for (int i = 0; i < static_cast<int>(all_.size()); ++i) {
      if (all_[i].name == name || all_[i].physical == name)
        return std::vector{std::pair{std::string(), i}};
      if (all_[i].name.starts_with(name + "."))
        out.emplace_back(all_[i].name.substr(name.size()), i);
    }
    if (out.empty())
      throw InputError(place + ": unknown name \"" + name + "\"" + suggestion(name, value_names()));
    return out;
  };
  const auto first = members(given[0]);
  for (std::size_t k = 1; k < given.size(); ++k) {
    const auto other = members(given[k]);
    const bool match = std::equal(first.begin(), first.end(), other.begin(), other.end(),
                                  [](const auto& a, const auto& b) { return a.first == b.first; });
    if (!match)
      throw InputError(place + ": " + given[0] + " and " + given[k] +
                       " have different parameters, expected the same ones");
    for (std::size_t i = 0; i < first.size(); ++i) {
      const int a = first[i].second, b = other[i].second;
      if (a == b) throw InputError(place + ": " + given[k] + " is named twice");
      const bool same_map = all_[a].is_logarithm == all_[b].is_logarithm;
      add_relation({.name = all_[a].name + " = " + all_[b].name,
                    .is_equality = true,
                    .scalars = {{a, 1, same_map}, {b, -1, same_map}}},
                   place);
    }
  }
}

void ParameterSet::relate_sums(const Config& config) {
  for (std::size_t i = 0; i < config.constraints.linear.size(); ++i) {
    const LinearConfig& given = config.constraints.linear[i];
    const std::string key = "constraints.linear[" + std::to_string(i) + "]";
    Relation sum;
    for (const auto& [name, weight] : given.terms) {
      if (!add_term(name, weight, sum))
        throw InputError(key_place(config, key + ".terms") + ": unknown name \"" + name + "\"" +
                         suggestion(name, value_names()));
      sum.name += (sum.name.empty() ? "" : " + ") + number_text(weight) + " " + name;
    }
    add_range(std::move(sum), given.range, key_place(config, key));
  }
}

/// c inside: n·c ≤ b is n·h ≤ b m.
void ParameterSet::relate_centers(const Config& config) {
  constexpr const char* axes[] = {"x", "y", "z"};
  for (const auto& [name, given] : config.constraints.com) {
    const std::string key = "constraints.com." + name, place = key_place(config, key);
    const LinkBlock* link = find_link(name);
    if (!link) throw_unknown(config, key, name, names_of(links_));
    const auto keep = [&](const std::string& side, const Vector3d& normal, double reach) {
      Relation out{.name = "com." + name + side, .scalars = {{link->first, reach, false}}};
      for (int i = 0; i < 3; ++i) {
        if (normal[i] != 0) out.scalars.push_back({link->first + 1 + i, -normal[i], true});
      }
      add_relation(std::move(out), place);
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
      throw InputError(key_place(config, key + ".hull") +
                       ": the points lie in one plane, expected points that enclose a volume");
    for (std::size_t i = 0; i < sides.size(); ++i)
      keep(" inside side " + std::to_string(i + 1) + " of its hull", sides[i].normal,
           sides[i].reach);
  }
}

}  // namespace bayesid
