// SPDX-License-Identifier: BSD-3-Clause
#include "config/sections.hpp"

namespace bayesid::config {
namespace {

/// `true`: those of the URDF; or some for each joint.
Kind<JointLimitsConfig> joint_limits(const Kind<RangeConfig>& one) {
  const Kind<JointLimitsConfig> from_urdf =
      member(&JointLimitsConfig::from_urdf, boolean()).only_if([](const JointLimitsConfig& limits) {
        return limits.from_urdf;
      });
  return any_of<JointLimitsConfig>(
      {from_urdf, member(&JointLimitsConfig::by_joint, map_of("<joint>", one).if_any())});
}

/// One for all contacts, or some by name.
Kind<StageConstraintsConfig> friction_coefficient() {
  return any_of<StageConstraintsConfig>(
      {member(&StageConstraintsConfig::mu, optional(positive())),
       member(&StageConstraintsConfig::mu_by_contact, map_of("<contact>", positive()).if_any())});
}

/// All, none or some.
Kind<std::optional<Selection>> unilateral() {
  using Contacts = std::optional<Selection>;
  Kind<Contacts> all = boolean().within<Contacts>([](auto& value) -> auto& { return value->all; });
  all.read = [](const YamlTree& node, const Location&, Contacts& value) {
    value.reset();
    if (node.boolean().value()) value.emplace();
  };
  all.write = [](const Contacts& value, const std::string&) -> std::optional<YamlTree> {
    if (!value || !value->all) return {};
    return scalar("true");
  };
  all.vary = [](Contacts& value, int) { value.emplace(); };
  const Kind<Selection> some =
      member(&Selection::names, list_of(name(), 1)).prepared([](Selection& value, const Location&) {
        value.all = false;
      });
  return any_of<Contacts>({all, optional(some)});
}

Kind<std::pair<double, double>> bounds() {
  const Kind<RangeConfig> pair = interval(bound());
  using Bounds = std::pair<double, double>;
  return {.schemas = pair.schemas,
          .accepts = pair.accepts,
          .read =
              [pair](const YamlTree& node, const Location& at, Bounds& value) {
                RangeConfig range;
                pair.read(node, at, range);
                value = {range.lower, range.upper};
              },
          .write =
              [pair](const Bounds& value, const std::string& folder) {
                return pair.write({value.first, value.second}, folder);
              },
          .vary = [](Bounds& value, int salt) { value = {salt - 1.5, salt + 2.5}; }};
}

}  // namespace

void describe(Fields<ConstraintsConfig>& f) {
  using C = ConstraintsConfig;
  f.add("total_mass", &C::total_mass, range(),
        {"kg", "total moving mass: a number, or `{min, max}` (either may be missing)", "none"});
  f.add("mass", &C::mass, list_of(table<MassConfig>()).if_any(),
        {"kg", "list of `{links: [...], is: 3.2}` or `is: {min, max}`: total mass of these links",
         "none"})
      .folded();
  f.add("symmetry", &C::symmetry, list_of(table<SymmetryConfig>()).if_any(),
        {"",
         "list of `{left, right, plane}`: links and joints with `left` in their names mirror those "
         "with `right` in its place, in a plane (`xy`, `xz`, `yz`) of the base with all joints at "
         "zero: masses, centres of mass and inertias of links, friction and armature of joints",
         "none"})
      .folded();
  f.add("linear", &C::linear, list_of(table<LinearConfig>()).if_any(),
        {"",
         "list of `{terms: {mass.link1: 1, mass.link2: -2}, is: 0}` or `is: {min, max}`: sums of "
         "coordinates and physical values",
         "none"})
      .folded();
  f.add("com", &C::com, map_of("<link>", table<CenterConfig>()).if_any(), {});
  f.add("bounds", &C::bounds, map_of("<value>", bounds()).if_any(),
        {"",
         "map from a coordinate or any physical value to `[lower, upper]`; `.inf` and `-.inf` are "
         "allowed, lower < upper",
         "none"});
  f.add("equal", &C::equal, list_of(list_of(name(), 2)).if_any(),
        {"",
         "list of lists of names with the same value: parameters (`armature.joint1`) or families "
         "(`friction.joint1`)",
         "none"});
  f.add("stage", &C::stage, table<StageConstraintsConfig>().if_any(), {});
}

void describe(Fields<MassConfig>& f) {
  f.add("links", &MassConfig::links, list_of(name()), {}).required();
  f.add("is", &MassConfig::range, range(), {}).required();
}

void describe(Fields<SymmetryConfig>& f) {
  f.add("left", &SymmetryConfig::left, name(), {}).required();
  f.add("right", &SymmetryConfig::right, name(), {}).required();
  f.add("plane", &SymmetryConfig::plane, one_of({"xy", "xz", "yz"}), {}).required();
}

void describe(Fields<LinearConfig>& f) {
  f.add("terms", &LinearConfig::terms, map_of("<value>", number()), {}).required();
  f.add("is", &LinearConfig::range, range(), {}).required();
}

void describe(Fields<CenterConfig>& f) {
  f.add("box", &CenterConfig::box, array_of<3>(interval(number())),
        {"m", "`[[x, x], [y, y], [z, z]]` that contains the centre of mass, in the link's frame",
         "none"});
  f.add("hull", &CenterConfig::hull, list_of(array_of<3>(number()), 4).if_any(),
        {"m", "`[[x, y, z], ...]`, at least four points whose convex hull contains it", "none"});
}

void describe(Fields<StageConstraintsConfig>& f) {
  using S = StageConstraintsConfig;
  f.add("friction_cone", group<S>([](Fields<S>& g) {
          g.add("mu", friction_coefficient(),
                {"1",
                 "friction cone of contacts, |f_x, f_y| ≤ mu f_z in the axes of the world: one "
                 "number, or `{LF_FOOT: 0.5, …}` for some contacts",
                 "none"})
              .required();
        }),
        {});
  f.add("unilateral", member(&S::unilateral, unilateral()),
        {"", "`true`, or a list of contacts: unilateral normal force, f_z ≥ 0; a cone implies it",
         "`false`"});
  f.add("position_limits", &S::position, joint_limits(interval(bound())),
        {"rad, m", "`true`: those of the URDF; or `{joint1: [-1, 1.5], …}`", "`false`"});
  f.add("velocity_limits", &S::velocity, joint_limits(size()),
        {"rad/s, m/s", "`true`: those of the URDF; or `{joint1: 2, …}`, largest size", "`false`"});
  f.add("effort_limits", &S::effort, joint_limits(size()),
        {"N·m, N",
         "`true`: those of the URDF; or `{joint1: 40, …}`, of the true effort; not with exact "
         "efforts",
         "`false`"});
}

}  // namespace bayesid::config
