// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/problem.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace bayesid;

namespace {

using Names = std::vector<std::string>;

/// Eleven samples, 0 s to 1 s.
Recording recording(const std::vector<PhaseConfig>& phases,
                    const std::vector<ImpactConfig>& impacts = {}) {
  Recording out;
  out.file = "run.csv";
  out.time = Eigen::VectorXd::LinSpaced(11, 0.0, 1.0);
  out.phases = phases;
  out.impacts = impacts;
  return out;
}

/// Two feet and a loop.
MotionConstraints constraints() {
  MotionConstraints out;
  for (const std::string name : {"LF", "RF"}) {
    MotionConstraint& foot = out.contacts.emplace_back();
    foot.name = name;
    foot.rows = {0, 1, 2};
    foot.is_contact = true;
  }
  MotionConstraint& loop = out.loops.emplace_back();
  loop.name = "bar";
  loop.rows = {0, 2};
  return out;
}

Timeline timeline(const std::vector<PhaseConfig>& phases,
                  const std::vector<ImpactConfig>& impacts = {}) {
  return make_timeline(recording(phases, impacts), constraints());
}

/// Names of the constraints of a stage.
Names closed(const Timeline& line, std::size_t k) {
  Names out;
  for (const MotionConstraint& one : line.modes[line.stages[k].mode].constraints)
    out.push_back(one.name);
  return out;
}

double restitution(const Timeline& line, std::size_t k, const std::string& name) {
  for (const MotionConstraint& one : line.modes[line.stages[k].mode].constraints) {
    if (one.name == name) return one.restitution;
  }
  return -1;
}

std::vector<std::size_t> impacts_of(const Timeline& line) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < line.stages.size(); ++k) {
    if (line.stages[k].impact) out.push_back(k);
  }
  return out;
}

/// Times go on, stages join them, and every sample is observed once.
void check_whole(const Timeline& line) {
  BOOST_REQUIRE(line.nodes.size() == line.stages.size() + 1);
  int next_sample = 0;
  for (std::size_t k = 0; k < line.nodes.size(); ++k) {
    if (line.nodes[k].sample >= 0) BOOST_TEST(line.nodes[k].sample == next_sample++);
    if (k + 1 == line.nodes.size()) continue;
    const double dt = line.nodes[k + 1].time - line.nodes[k].time;
    BOOST_TEST(std::abs(dt - line.stages[k].dt) < 1e-12);
    BOOST_TEST((dt == 0) == line.stages[k].impact);
  }
  BOOST_TEST(next_sample == 11);
}

}  // namespace

BOOST_AUTO_TEST_CASE(timeline_of_a_free_robot_has_a_stage_between_any_two_samples) {
  const Timeline line = Timeline::of(recording({}));
  check_whole(line);
  BOOST_TEST(line.stages.size() == 10u);
  BOOST_TEST(line.max_rows() == 0);
  BOOST_TEST(closed(line, 3).empty());
}

BOOST_AUTO_TEST_CASE(timeline_holds_loops_always_and_contacts_in_their_phases) {
  // Closed from the start: no impact. The end of the phase is a lift-off, which needs none either.
  const Timeline line = timeline({{-1, 0.4, {"LF"}}});
  check_whole(line);
  BOOST_TEST(line.stages.size() == 10u);
  BOOST_TEST((closed(line, 0) == Names{"bar", "LF"}));
  BOOST_TEST((closed(line, 3) == Names{"bar", "LF"}));
  BOOST_TEST((closed(line, 4) == Names{"bar"}));
  BOOST_TEST(line.max_rows() == 5);
}

BOOST_AUTO_TEST_CASE(timeline_snaps_phases_to_the_nearest_sample) {
  const Timeline line = timeline({{-1, 0.34, {"LF"}}, {0.56, 3, {"RF"}}});
  check_whole(line);
  BOOST_TEST((closed(line, 2) == Names{"bar", "LF"}));
  BOOST_TEST((closed(line, 3) == Names{"bar"}));
  BOOST_TEST((closed(line, 5) == Names{"bar"}));
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{6}));
  BOOST_TEST(line.nodes[6].time == 0.6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST((closed(line, 10) == Names{"bar", "RF"}));
}

BOOST_AUTO_TEST_CASE(timeline_closes_a_contact_with_an_inelastic_impact) {
  const Timeline line = timeline({{0.5, 3, {"LF"}}});
  check_whole(line);
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{5}));
  BOOST_TEST(line.stages[5].dt == 0);
  BOOST_TEST((closed(line, 5) == Names{"bar", "LF"}));
  BOOST_TEST(restitution(line, 5, "LF") == 0);
  BOOST_TEST((closed(line, 4) == Names{"bar"}));
  BOOST_TEST((closed(line, 6) == Names{"bar", "LF"}));
}

BOOST_AUTO_TEST_CASE(timeline_observes_a_sample_after_its_impact) {
  const Timeline line = timeline({{0.5, 3, {"LF"}}});
  BOOST_TEST(line.nodes[5].sample == -1);
  BOOST_TEST(line.nodes[6].sample == 5);
  BOOST_TEST(line.nodes[5].time == line.nodes[6].time);
  BOOST_TEST(line.stages[6].sample == 5);
}

BOOST_AUTO_TEST_CASE(timeline_ends_with_the_impact_of_a_contact_that_closes_at_the_last_sample) {
  const Timeline line = timeline({{-1, 1.0, {"RF"}}, {1.0, 3, {"LF"}}});
  check_whole(line);
  BOOST_TEST(line.stages.size() == 11u);
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{10}));
  BOOST_TEST((closed(line, 10) == Names{"bar", "LF"}));  // RF lifts off there
  BOOST_TEST(line.nodes[10].sample == -1);
  BOOST_TEST(line.nodes[11].sample == 10);
  // One that closes later, or was closed before, makes none.
  BOOST_TEST(impacts_of(timeline({{1.01, 3, {"LF"}}})).empty());
  BOOST_TEST(impacts_of(timeline({{-1, 1.0, {"RF"}}})).empty());
  BOOST_TEST((impacts_of(timeline({}, {{1.0, {"LF"}, 0.5}})) == std::vector<std::size_t>{10}));
}

BOOST_AUTO_TEST_CASE(timeline_gives_an_impact_between_samples_nodes_of_its_own) {
  const Timeline line = timeline({{0.53, 3, {"LF"}}}, {{0.53, {"LF"}, 0.0}});
  check_whole(line);
  BOOST_TEST(line.stages.size() == 12u);  // the step is cut in two, with the impact between
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{6}));
  BOOST_TEST(line.nodes[6].time == 0.53);
  BOOST_TEST(line.nodes[6].sample == -1);
  BOOST_TEST(line.nodes[7].sample == -1);
  BOOST_TEST(line.nodes[8].sample == 6);
  // The effort of the sample before acts on both parts.
  for (const std::size_t k : {5u, 6u, 7u}) BOOST_TEST(line.stages[k].sample == 5);
  BOOST_TEST((closed(line, 5) == Names{"bar"}));
  BOOST_TEST((closed(line, 7) == Names{"bar", "LF"}));
}

BOOST_AUTO_TEST_CASE(timeline_puts_an_impact_almost_at_a_sample_on_it) {
  const Timeline line = timeline({{0.5, 3, {"LF"}}}, {{0.501, {"LF"}, 0.0}});
  check_whole(line);
  BOOST_TEST(line.stages.size() == 11u);
  BOOST_TEST((impacts_of(line) == std::vector<std::size_t>{5}));
}

BOOST_AUTO_TEST_CASE(timeline_lets_a_contact_bounce_and_fly_on) {
  const Timeline line = timeline({}, {{0.5, {"LF"}, 0.7}});
  check_whole(line);
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{5}));
  BOOST_TEST(restitution(line, 5, "LF") == 0.7);
  BOOST_TEST((closed(line, 6) == Names{"bar"}));
}

BOOST_AUTO_TEST_CASE(timeline_keeps_closed_contacts_in_an_impact_of_another) {
  const Timeline line = timeline({{-1, 0.5, {"RF"}}, {0.5, 3, {"LF", "RF"}}}, {{0.5, {"LF"}, 0.3}});
  check_whole(line);
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{5}));
  BOOST_TEST((closed(line, 5) == Names{"bar", "LF", "RF"}));
  BOOST_TEST(restitution(line, 5, "LF") == 0.3);
  BOOST_TEST(restitution(line, 5, "RF") == 0);
  BOOST_TEST(restitution(line, 5, "bar") == 0);
  BOOST_TEST(line.max_rows() == 8);
}

BOOST_AUTO_TEST_CASE(timeline_leaves_a_contact_that_lifts_off_out_of_the_impact) {
  const Timeline line = timeline({{-1, 0.5, {"RF"}}, {0.5, 3, {"LF"}}});
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{5}));
  BOOST_TEST((closed(line, 5) == Names{"bar", "LF"}));
  BOOST_TEST((closed(line, 6) == Names{"bar", "LF"}));
}

BOOST_AUTO_TEST_CASE(timeline_closes_several_contacts_in_one_impact) {
  const Timeline line = timeline({{0.5, 3, {"LF", "RF"}}}, {{0.5, {"RF"}, 0.2}});
  check_whole(line);
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{5}));
  BOOST_TEST((closed(line, 5) == Names{"bar", "LF", "RF"}));
  BOOST_TEST(restitution(line, 5, "LF") == 0);
  BOOST_TEST(restitution(line, 5, "RF") == 0.2);
}

BOOST_AUTO_TEST_CASE(timeline_lets_contacts_of_an_impact_slip_along_rows_they_do_not_keep) {
  MotionConstraints given = constraints();
  for (MotionConstraint& foot : given.contacts) foot.rows = {2};
  const ImpactConfig impact{0.5, {"LF"}, 0.3, 0.2, 0.01};
  const Timeline line = make_timeline(recording({{0.5, 3, {"LF", "RF"}}}, {impact}), given);
  check_whole(line);
  BOOST_REQUIRE((impacts_of(line) == std::vector<std::size_t>{5}));
  const Mode& mode = line.modes[line.stages[5].mode];
  BOOST_REQUIRE(mode.slips.size() == 1u);  // RF closes too, and does not slip
  BOOST_TEST(mode.slips[0].name == "LF");
  BOOST_TEST((mode.slips[0].rows == std::vector<int>{0, 1, 3, 4, 5}));
  BOOST_TEST(mode.slips[0].slip_std(1) == 0.2);
  BOOST_TEST(mode.slips[0].slip_std(3) == 0.01);
  BOOST_TEST(line.max_slips() == 5);
  for (const std::size_t k : {4u, 6u}) BOOST_TEST(line.modes[line.stages[k].mode].slips.empty());
}
