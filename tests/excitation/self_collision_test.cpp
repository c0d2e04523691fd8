// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "excitation/self_collision.hpp"
#include "support/exciting.hpp"
#include "support/identification.hpp"
#include "support/input_error.hpp"
#include "support/numeric_jacobian.hpp"
#include "support/scene.hpp"
#include "support/temp_folder.hpp"

namespace bayesid {
namespace {

using Eigen::VectorXd;

constexpr double least = 0.02;

Config folding_arm() {
  Config config = test::exciting_arm();
  config.model.urdf = std::string(BAYESID_SOURCE) + "/data/models/folding_arm.urdf";
  config.excitation.self_collision = least;
  return config;
}

/// Fingers do not move: three joints.
Config locked_arm() {
  Config config = folding_arm();
  config.model.lock = {{"left_finger_joint", 0.01}};
  config.excitation.harmonics = 3;
  config.excitation.duration = 3;
  return config;
}

Config panda() {
  Config config = test::panda_config();
  config.excitation.self_collision = least;
  return config;
}

struct Robots {
  std::string name;
  Config config;
};

std::vector<Robots> all_robots() {
  Config floating = folding_arm();
  floating.model.floating_base = true;
  floating.model.urdf = test::anymal_config().model.urdf;
  Config primitives = panda();
  primitives.model.urdf =
      std::string(BAYESID_ROBOTS) + "/panda_description/urdf/panda_collision.urdf";
  return {{"mimic", folding_arm()},
          {"locked", locked_arm()},
          {"floating", floating},
          {"hulls", panda()},
          {"primitives", primitives}};
}

VectorXd random_q(const Robot& robot, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  VectorXd numbers(robot.nv());
  for (double& number : numbers) number = uniform(random) - 0.5;
  for (const Joint& joint : robot.joints) {
    const bool is_limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    const double lower = is_limited ? joint.lower : -3, upper = is_limited ? joint.upper : 3;
    numbers[joint.idx_v] = lower + (upper - lower) * uniform(random);
  }
  return make_configuration(robot, numbers);
}

std::set<std::string> pair_names(const SelfCollision& shapes) {
  std::set<std::string> out;
  for (const SelfCollision::Pair& pair : shapes.pairs()) out.insert(pair.first + "–" + pair.second);
  return out;
}

Excitation found(const Config& config, int num_random = 0, int num_threads = 2) {
  const Robot robot = read_robot(config.model);
  const Dynamics dynamics(robot, ParameterSet(robot, config));
  return excite(dynamics, config,
                {.num_threads = num_threads, .seed = 1, .num_random = num_random});
}

/// Of all pairs along a motion.
double nearest(const Config& config, const MotionTable& motion) {
  const Robot robot = read_robot(config.model);
  const SelfCollision shapes(robot, {}, config);
  Kinematics kinematics(robot);
  double out = INFINITY;
  for (Eigen::Index k = 0; k < motion.num_samples(); ++k) {
    for (const ShapeDistance& one : shapes.near(motion.q.col(k), INFINITY, kinematics))
      out = std::min(out, one.distance);
  }
  return out;
}

void check_contains(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    BOOST_TEST(text.find(word) != std::string::npos, "\"" << word << "\" is not in: " << text);
}

const Excitation& of_folding_arm() {
  static const Excitation out = found(locked_arm(), 2);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(self_collision_compares_links_that_are_not_neighbours) {
  const Config config = folding_arm();
  const std::set<std::string> expected{"post–forearm",           "post–hand",
                                       "post–left_finger",       "post–right_finger",
                                       "upper_arm–hand",         "upper_arm–left_finger",
                                       "upper_arm–right_finger", "forearm–left_finger",
                                       "forearm–right_finger",   "left_finger–right_finger"};
  BOOST_TEST((pair_names(SelfCollision(read_robot(config.model), {}, config)) == expected));

  // Fingers that do not move are of one piece with the hand.
  Config locked = locked_arm();
  locked.excitation.ignore_pairs = {{"hand", "post"}};
  const std::set<std::string> rest{"post–forearm",          "post–left_finger",
                                   "post–right_finger",     "upper_arm–hand",
                                   "upper_arm–left_finger", "upper_arm–right_finger"};
  BOOST_TEST((pair_names(SelfCollision(read_robot(locked.model), {}, locked)) == rest));
}

// Links that a loop joins touch there.
BOOST_AUTO_TEST_CASE(self_collision_knows_neighbours_through_loops) {
  const Config config = folding_arm();
  const Robot robot = read_robot(config.model);
  MotionConstraint loop;
  loop.first = *find_frame(robot, "post");
  loop.second = *find_frame(robot, "hand");
  const std::set<std::string> names = pair_names(SelfCollision(robot, {{loop}}, config));
  BOOST_TEST(!names.contains("post–hand"));
  BOOST_TEST(names.contains("upper_arm–hand"));
}

BOOST_AUTO_TEST_CASE(self_collision_distance_is_that_of_shapes) {
  const Config config = folding_arm();
  const Robot robot = read_robot(config.model);
  const SelfCollision shapes(robot, {}, config);
  Kinematics kinematics(robot);
  VectorXd numbers = VectorXd::Zero(robot.nv());
  numbers[robot.joints[3].idx_v] = 0.02;
  const VectorXd q = make_configuration(robot, numbers);
  int compared = 0;
  for (const ShapeDistance& one : shapes.near(q, INFINITY, kinematics)) {
    const SelfCollision::Pair& pair = shapes.pairs()[static_cast<std::size_t>(one.pair)];
    // Boxes 10 mm thick, 30 mm from the middle, both 20 mm further out.
    if (pair.first != "left_finger") continue;
    BOOST_TEST(std::abs(one.distance - 0.09) < 1e-9);
    BOOST_TEST(std::abs(one.ddistance_dq[robot.joints[3].idx_v] - 2) < 1e-9);  // and mimic
    ++compared;
  }
  BOOST_TEST(compared == 1);
  // Beyond `within` nothing is looked at.
  for (const ShapeDistance& one : shapes.near(q, 0.1, kinematics)) BOOST_TEST(one.distance < 0.1);
}

BOOST_AUTO_TEST_CASE(self_collision_slopes_agree_with_central_differences) {
  for (const auto& [name, config] : all_robots()) {
    const Robot robot = read_robot(config.model);
    const SelfCollision shapes(robot, {}, config);
    Kinematics kinematics(robot);
    const auto num_pairs = static_cast<Eigen::Index>(shapes.pairs().size());
    std::mt19937 random(4);
    int compared = 0, apart = 0;
    for (int i = 0; i < 4; ++i) {
      const VectorXd q = random_q(robot, random);
      const auto distances = [&](const VectorXd& dq) {
        VectorXd out(num_pairs);
        for (const ShapeDistance& one :
             shapes.near(test::moved(robot, q, dq), INFINITY, kinematics))
          out[one.pair] = one.distance;
        return out;
      };
      const std::vector<ShapeDistance> now = shapes.near(q, INFINITY, kinematics);
      BOOST_REQUIRE(static_cast<Eigen::Index>(now.size()) == num_pairs);
      const VectorXd step = VectorXd::Constant(robot.nv(), 1e-5);
      const Eigen::MatrixXd numeric = numeric_jacobian(distances, VectorXd::Zero(robot.nv()), step);
      for (const ShapeDistance& one : now) {
        if (one.distance < 1e-3) continue;  // overlapping shapes are found to 1e-6 only
        ++compared;
        // GJK stops at 1e-10 of a distance, and the slope jumps where faces are parallel.
        const double error =
            (one.ddistance_dq.transpose() - numeric.row(one.pair)).cwiseAbs().maxCoeff();
        if (error < 2e-4) ++apart;
      }
    }
    BOOST_TEST(compared > 10, name);
    BOOST_TEST(apart == compared, name << ": " << compared - apart << " of " << compared);
  }
}

BOOST_AUTO_TEST_CASE(excite_keeps_links_apart_on_a_finer_grid) {
  Config without = locked_arm();
  without.excitation.self_collision.reset();
  // Without the limit the arm hits itself.
  BOOST_TEST(nearest(without, found(without).motion) < 0);

  const Excitation& excitation = of_folding_arm();
  BOOST_REQUIRE(excitation.found);
  int num_pairs = 0;
  double smallest = INFINITY;
  for (const LimitMargin& one : excitation.margins) {
    BOOST_TEST(one.allowed >= -1e-5, one.name << " of " << one.of << ": " << one.allowed);
    if (one.name != "self_collision") continue;
    ++num_pairs;
    smallest = std::min(smallest, one.value);
    BOOST_TEST(one.unit == "m");
    BOOST_TEST(std::abs(one.margin - one.value) < 1e-12);
    BOOST_TEST(std::abs(one.allowed - (one.value - least)) < 1e-12);
  }
  BOOST_TEST(num_pairs == 7);
  BOOST_TEST(nearest(locked_arm(), excitation.motion) > least - 1e-5);
  BOOST_TEST(smallest < 3 * least);  // it makes use of the room there is
  for (const ExcitationForecast& one : excitation.random)
    BOOST_TEST(excitation.forecast.log_det_gain > one.log_det_gain);
}

BOOST_AUTO_TEST_CASE(excite_with_self_collision_gives_the_same_bits_with_other_threads) {
  Config config = locked_arm();
  config.excitation.starts = 1;
  config.excitation.max_iterations = 15;
  const Excitation one = found(config, 0, 1), two = found(config, 0, 2);
  BOOST_TEST((one.motion.q == two.motion.q));
}

BOOST_AUTO_TEST_CASE(excite_keeps_the_links_of_a_quadruped_apart) {
  Config config = test::exciting_anymal();
  config.excitation.self_collision = 0.01;
  // The shapes of thighs reach into the base.
  for (const char* leg : {"LF", "RF", "LH", "RH"})
    config.excitation.ignore_pairs.push_back({"base", std::string(leg) + "_THIGH"});
  const Excitation excitation = found(config);
  BOOST_REQUIRE(excitation.found);
  const auto is_distance = [](const LimitMargin& one) { return one.name == "self_collision"; };
  BOOST_TEST(std::ranges::count_if(excitation.margins, is_distance) > 0);
  for (const LimitMargin& one : excitation.margins)
    BOOST_TEST(one.allowed >= -1e-5, one.name << " of " << one.of << ": " << one.allowed);
}

BOOST_AUTO_TEST_CASE(self_collision_reports_errors) {
  Config near = locked_arm();
  near.excitation.start = {{"q.shoulder", 1.3}, {"q.elbow", 2.0}};
  check_contains(test::input_error([&] { found(near); }),
                 {"excitation.start", "self_collision of post–forearm", "m there, below 0.02 m",
                  "excitation.ignore_pairs"});

  Config unknown = locked_arm();
  unknown.excitation.ignore_pairs = {{"post", "forarm"}};
  check_contains(test::input_error([&] { found(unknown); }),
                 {"excitation.ignore_pairs[0]", "no link forarm", "did you mean forearm"});

  Config bare = test::exciting_arm();
  bare.excitation.self_collision = least;
  check_contains(test::input_error([&] { found(bare); }),
                 {"excitation.limits.self_collision", "<collision>"});
}

BOOST_AUTO_TEST_CASE(self_collision_names_meshes_that_cannot_be_read) {
  const auto with_mesh = [](const std::string& file) {
    return R"(<robot name="arm"><link name="base"><collision><geometry><mesh filename=")" + file +
           R"("/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
<link name="rod"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
</robot>)";
  };
  test::TempFolder folder;
  Config config;
  const auto complaint = [&](const std::string& mesh) {
    config.model.urdf = folder.temp_file(with_mesh(mesh), ".urdf");
    const Robot robot = read_robot(config.model);  // needs no mesh
    BOOST_TEST(!make_self_collision(robot, {}, config));
    Config with_distance = config;
    with_distance.excitation.self_collision = least;
    return test::input_error([&] { make_self_collision(robot, {}, with_distance); });
  };
  check_contains(complaint("package://nowhere/base.stl"),
                 {".urdf:1: ", "package://nowhere/base.stl", "link 'base'", "cannot be found"});
  folder.write("broken.stl", "nothing");
  check_contains(complaint("broken.stl"), {"broken.stl", "link 'base'", "no convex hull"});
}

}  // namespace bayesid
