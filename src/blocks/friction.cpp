// SPDX-License-Identifier: BSD-3-Clause
// Friction of a drive: γ0…γ5 of the law, and γ6 of what it remembers.
//                                                   docs/math/parameters.md (11)-(13c), table 1
#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/error.hpp"
#include "blocks/choice.hpp"
#include "blocks/defaults.hpp"
#include "blocks/make_blocks.hpp"

namespace bayesid::blocks {

using Eigen::VectorXd;

namespace {

/// A number for each of γ0…γ6.
using FrictionNumbers = Eigen::Matrix<double, 7, 1>;

constexpr int stribeck1 = 1, stribeck2 = 2, coulomb_slope = 4, presliding = 6;

class FrictionBlock final : public ParameterBlock {
 public:
  /// `place` is where γ0…γ6 stand among the entries; −1: switched off.
  FrictionBlock(const std::vector<Entry>& entries, const std::string& drive,
                const std::array<int, 7>& place)
      : ParameterBlock(entries), drive_(drive), place_(place) {}

  VectorXd scaling(std::span<const Parameter> own) const override {
    VectorXd out = ParameterBlock::scaling(own);
    const int slope = place_[stribeck2];  // no logarithm
    if (slope >= 0) out[slope] = std::max(1.0, 0.5 * std::abs(own[slope].prior));
    return out;
  }

  /// Effort is not linear in the slopes.
  VectorXd trust_bound(const Values& x) const override {
    constexpr double share = 0.3;  // of the slope
    VectorXd out = VectorXd::Constant(x.size(), std::numeric_limits<double>::infinity());
    for (const int gamma : {stribeck1, stribeck2, coulomb_slope}) {
      const int i = place_[gamma];
      if (i < 0) continue;
      out[i] = gamma == stribeck2 ? share * std::max(1.0, std::abs(x[i])) : share;
    }
    return out;
  }

  std::vector<ParameterConstraint> constraints() const override {
    if (place_[stribeck1] < 0) return {};
    return {{.name = "friction." + drive_ + ".stribeck1 >= stribeck2",
             .scalars = {{place_[stribeck1], 1, false}, {place_[stribeck2], -1, false}}}};
  }

  std::string mirrored_drive() const override { return drive_; }

  std::vector<std::string> warnings(std::span<const Parameter> own) const override {
    if (place_[stribeck1] < 0) return {};
    const double gamma1 = std::exp(own[place_[stribeck1]].prior);
    const double gamma2 = own[place_[stribeck2]].prior;
    if (gamma1 >= gamma2) return {};
    return {"friction." + drive_ + ": the prior has stribeck1 " + number_text(gamma1) +
            " below stribeck2 " + number_text(gamma2) +
            ": such friction drives the joint near zero speed"};
  }

 private:
  std::string drive_;
  std::array<int, 7> place_;
};

int friction_index(const Config& config, const std::string& key, const std::string& name) {
  const auto found = std::find(friction_names.begin(), friction_names.end(), name);
  if (found != friction_names.end()) return static_cast<int>(found - friction_names.begin());
  throw InputError(key_location(config, key + "." + name) + ": unknown friction value \"" + name +
                   "\"" + suggestion(name, {friction_names.begin(), friction_names.end()}));
}

/// Prior mean of γ: configuration, else <dynamics> of the URDF (null: the drive is not a joint),
/// else defaults.
FrictionNumbers friction_prior(const Config& config, const FrictionPriorConfig& given,
                               const Joint* joint) {
  FrictionNumbers gamma;
  for (int i = 0; i < 7; ++i) gamma[i] = defaults::friction[i].mean;
  if (joint && joint->friction > 0) gamma[3] = joint->friction;
  if (joint && joint->damping > 0) gamma[5] = joint->damping;

  const std::string key = "parameters.friction.prior";
  for (const auto& [name, value] : given.prior) {
    const int i = friction_index(config, key, name);
    gamma[i] = i == stribeck2 ? value : positive(config, key + "." + name, value);
  }
  // A slope given alone takes the other one with it, so that friction dissipates.
  if (!given.prior.contains("stribeck2"))
    gamma[2] = std::min(gamma[2], gamma[1] / defaults::stribeck_ratio);
  if (!given.prior.contains("stribeck1"))
    gamma[1] = std::max(gamma[1], gamma[2] * defaults::stribeck_ratio);
  if (gamma[1] >= gamma[2]) return gamma;
  throw InputError(key_location(config, key) + ": stribeck1 " + number_text(gamma[1]) +
                   " is below stribeck2 " + number_text(gamma[2]) +
                   ", expected stribeck1 >= stribeck2: friction would drive the joint");
}

/// Prior std of γ in estimation coordinates.
FrictionNumbers friction_std(const Config& config, const FrictionPriorConfig& given) {
  FrictionNumbers out;
  for (int i = 0; i < 7; ++i) out[i] = defaults::friction[i].std;
  const std::string key = "parameters.friction.std";
  for (const auto& [name, value] : given.std)
    out[friction_index(config, key, name)] = positive(config, key + "." + name, value);
  return out;
}

/// One drive; `remembers` is the entry of its γ6.
std::shared_ptr<const ParameterBlock> make_block(const FrictionPriorConfig& given,
                                                 const FrictionNumbers& prior,
                                                 const FrictionNumbers& std, int drive,
                                                 int remembers, const PhysicalLayout& layout) {
  const std::array<bool, 7> active{given.stiction, given.stiction, given.stiction,  given.coulomb,
                                   given.coulomb,  given.viscous,  given.presliding};
  const std::string name = "friction." + layout.drives[drive].name;
  std::vector<ParameterBlock::Entry> entries;
  std::array<int, 7> place{-1, -1, -1, -1, -1, -1, -1};
  for (int i = 0; i < 7; ++i) {
    if (!active[i]) continue;
    place[i] = static_cast<int>(entries.size());
    entries.push_back({.parameter = {.name = name + ".mu" + std::to_string(i),
                                     .prior = i == stribeck2 ? prior[i] : std::log(prior[i]),
                                     .std = std[i],
                                     .rate = i == stribeck2 ? 0.0 : 1.0,
                                     .physical = name + "." + friction_names[i]},
                       .eta = i == presliding ? remembers : layout.gamma(drive) + i});
  }
  return std::make_shared<FrictionBlock>(entries, layout.drives[drive].name, place);
}

/// Drives that remember where they came from.
void add_presliding(const Config& config, const std::vector<int>& chosen, int num_joints,
                    PhysicalLayout& layout) {
  const FrictionPriorConfig& given = *config.parameters.friction;
  const std::string key = "parameters.friction.presliding.distance";
  const std::vector<double> distance =
      read_numbers(config, key,
                   {given.presliding_distance, defaults::presliding_distance,
                    names_of(layout.drives), chosen, num_joints});
  layout.presliding_smoothing = given.presliding_smoothing;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    layout.presliding_drives.push_back({chosen[i], positive(config, key, distance[i])});
  layout.num_presliding = static_cast<int>(chosen.size());
}

}  // namespace

BlockList make_friction(const Robot& robot, const Config& config, Draft& draft) {
  if (!config.parameters.friction) return {};
  const FrictionPriorConfig& given = *config.parameters.friction;
  PhysicalLayout& layout = draft.layout;
  const FrictionNumbers std = friction_std(config, given);
  const int num_joints = static_cast<int>(robot.joints.size());
  const std::vector<int> chosen =
      choose(config, "parameters.friction.joints", given.joints, names_of(layout.drives));
  BlockList out;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const int drive = chosen[k];
    const Joint* joint = drive < num_joints ? &robot.joints[drive] : nullptr;
    const auto block = make_block(given, friction_prior(config, given, joint), std, drive,
                                  layout.presliding(static_cast<int>(k)), layout);
    if (block->size() > 0) out.push_back(block);
  }
  if (given.presliding) add_presliding(config, chosen, num_joints, layout);
  return out;
}

}  // namespace bayesid::blocks
