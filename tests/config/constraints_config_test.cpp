// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "bayesid/config.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

using bayesid::Config;
using bayesid::test::TempFolder;

namespace {

const std::string head =
    "schema: 1\nmodel: {urdf: arm.urdf, base: floating, contacts: [{name: left, frame: a}, {name: "
    "right, "
    "frame: b}]}\n";

Config read(const TempFolder& folder, const std::string& text) {
  return bayesid::read_config(folder.write("arm.yaml", head + text));
}

const std::string known = R"(logs:
  - {file: a.csv, model: old.urdf}
parameters:
  inertia: {links: all, parametrisation: log_cholesky, prior: geometric, std: {distance: 0.4}, by_link: {hand: {log_mass: 0.1}}}
  frozen: [armature, inertia.hand.hx]
  prior_from: before/result.json
constraints:
  total_mass: 42
  mass: [{links: [a, b], is: {min: 1}}]
  symmetry: [{left: L_, right: R_, plane: xz}]
  equal: [[friction.a, friction.b, friction.c]]
  linear: [{terms: {mass.a: 1, mass.b: -2}, is: {min: -1, max: 1}}]
  com: {a: {box: [[0, 1], [-1, 1], [2, 3]]}, b: {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}
  bounds: {mass.a: [0, .inf]}
  stage:
    friction_cone: {mu: {left: 0.5}}
    unilateral: [right]
    position_limits: {joint1: [-1, .inf]}
    velocity_limits: true
    effort_limits: {joint1: 40}
)";

}  // namespace

BOOST_AUTO_TEST_CASE(config_reads_parameter_constraints_and_writes_them_again) {
  const TempFolder folder;
  Config config = read(folder, known);
  for (int round = 0; round < 2; ++round) {
    const bayesid::ConstraintsConfig& c = config.constraints;
    BOOST_TEST(c.total_mass->is_number());
    BOOST_TEST(c.total_mass->lower == 42);
    BOOST_TEST(c.mass.at(0).links.size() == 2);
    BOOST_TEST(c.mass[0].range.lower == 1);
    BOOST_TEST(!std::isfinite(c.mass[0].range.upper));
    BOOST_TEST(c.symmetry.at(0).left == "L_");
    BOOST_TEST(c.symmetry[0].plane == "xz");
    BOOST_TEST(c.equal.at(0).at(2) == "friction.c");
    BOOST_TEST(c.linear.at(0).terms.at("mass.b") == -2);
    BOOST_TEST(c.linear[0].range.upper == 1);
    BOOST_TEST(c.com.at("a").box->at(2).lower == 2);
    BOOST_TEST(c.com.at("b").hull.at(3)[2] == 1);
    BOOST_TEST(!std::isfinite(c.bounds.at("mass.a").second));
    BOOST_TEST(!c.stage.mu);
    BOOST_TEST(c.stage.mu_by_contact.at("left") == 0.5);
    BOOST_TEST(c.stage.unilateral->names.at(0) == "right");
    BOOST_TEST(c.stage.position.by_joint.at("joint1").lower == -1);
    BOOST_TEST(!std::isfinite(c.stage.position.by_joint.at("joint1").upper));
    BOOST_TEST(c.stage.velocity.from_urdf);
    BOOST_TEST(c.stage.effort.by_joint.at("joint1").lower == -40);
    BOOST_TEST(config.parameters.inertia->is_geometric);
    BOOST_TEST(config.parameters.inertia->parametrisation == "log_cholesky");
    BOOST_TEST(config.parameters.inertia_by_link.at("hand").log_mass == 0.1);
    BOOST_TEST(config.parameters.inertia_by_link.at("hand").distance == 0.4);
    BOOST_TEST(config.parameters.frozen.at(1) == "inertia.hand.hx");
    BOOST_TEST(config.parameters.prior_from == (folder.path() / "before/result.json").string());
    BOOST_TEST(config.logs.at(0).model == (folder.path() / "old.urdf").string());
    config = bayesid::read_config(
        folder.write("again.yaml", bayesid::config_yaml(config, folder.path().string())));
  }
}

BOOST_AUTO_TEST_CASE(config_ranges_that_are_empty_are_errors_with_their_line) {
  const TempFolder folder;
  const auto message = [&](const std::string& text) {
    return bayesid::test::input_error([&] { read(folder, text); });
  };
  for (const auto& [text, part] : std::initializer_list<std::pair<std::string, std::string>>{
           {"constraints: {total_mass: {min: 3, max: 2}}\n",
            "arm.yaml:3: constraints.total_mass is [3, 2]"},
           {"constraints:\n  com: {a: {box: [[0, 0], [0, 1], [0, 1]]}}\n",
            "arm.yaml:4: constraints.com.a.box[0] is [0, 0]"},
           {"constraints: {symmetry: [{left: a, right: b, plane: zz}]}\n", "plane"},
           {"constraints: {mass: [{links: [a]}]}\n", "is"},
           {"constraints: {com: {a: {hull: [[0, 0, 0], [1, 1, 1]]}}}\n", "hull"},
           {"parameters: {inertia: {prior: geometrical}}\n", "geometric"}}) {
    BOOST_TEST(message(text).find(part) != std::string::npos, message(text));
  }
}
