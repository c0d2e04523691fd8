// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/posterior.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "posterior/readable_coordinates.hpp"
#include "support/identification.hpp"
#include "support/simulated_problem.hpp"
#include "support/small_urdf.hpp"
#include "support/standing.hpp"
#include "support/temp_folder.hpp"

namespace bayesid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

/// Terms as a vector of the readable coordinates.
VectorXd vector_of(const std::vector<ParameterTerm>& terms, const ReadableCoordinates& r) {
  VectorXd out = VectorXd::Zero(static_cast<Index>(r.names.size()));
  for (const ParameterTerm& term : terms) {
    const auto found = std::ranges::find(r.names, term.name);
    BOOST_REQUIRE(found != r.names.end());
    out[found - r.names.begin()] = term.coefficient;
  }
  return out;
}

/// One problem with its solution and identifiability.
struct Study {
  Study(const RobotProblem& problem, const Solution& solution)
      : result(make_identifiability(problem, solution)),
        r(readable_coordinates(problem.dynamics().parameters(), solution.point.theta)) {
    const MatrixXd dzeta_dr = problem.dynamics().coordinates().K * r.deta_dr;
    information = dzeta_dr.transpose() * solution.zeta_hessian * dzeta_dr;
  }
  Identifiability result;
  ReadableCoordinates r;
  MatrixXd information;  // of the data about r
};

/// The two-joint arm; the elbow may be fixed by its limits.
test::Identification two_joints(bool elbow_moves) {
  Config config = test::two_joint_config();
  test::TempFolder folder;
  if (!elbow_moves) {
    std::ifstream stream(config.model.urdf);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    config.model.urdf = folder.temp_file(
        test::replaced(text, R"(lower="-2.5" upper="2.5")", R"(lower="-1e-7" upper="1e-7")"),
        ".urdf");
  }
  return test::make_identification(config, test::two_joint_options(), 5);
}

const UndeterminedDirection* find_undetermined_here(const Identifiability& result,
                                                    const std::string& name) {
  const auto found =
      std::ranges::find_if(result.undetermined, [&](const UndeterminedDirection& one) {
        return !one.is_structural && std::ranges::any_of(one.terms, [&](const ParameterTerm& term) {
          return term.name == name;
        });
      });
  return found == result.undetermined.end() ? nullptr : &*found;
}

/// What must hold for any log: base parameters and undetermined directions are dual to each other,
/// and the information agrees.
void check_duality(const Study& study) {
  const VectorXd prior_std = study.r.prior_cov.diagonal().cwiseSqrt();
  const auto num_combinations = static_cast<int>(study.result.base_parameters.size());
  const auto num_undetermined = static_cast<int>(study.result.undetermined.size());
  BOOST_TEST(num_combinations == study.result.log_rank);
  BOOST_TEST(num_combinations + num_undetermined == study.result.num_parameters);
  BOOST_TEST(study.result.log_rank <= study.result.structural_rank);
  for (const UndeterminedDirection& direction : study.result.undetermined) {
    BOOST_TEST(direction.motion.empty() == direction.is_structural);
    if (!direction.is_structural) continue;
    const VectorXd d = vector_of(direction.terms, study.r);
    for (const BaseParameter& base_parameter : study.result.base_parameters) {
      const VectorXd c = vector_of(base_parameter.terms, study.r);
      const double size = c.cwiseAbs().dot(d.cwiseAbs());
      // Terms that do not matter were left out.
      const double left_out = 0.02 * base_parameter.data_std / prior_std.minCoeff();
      BOOST_TEST(std::abs(c.dot(d)) <= 1e-6 * size + left_out * d.cwiseAbs().maxCoeff(),
                 base_parameter.text << " moves with " << direction.text);
    }
    const VectorXd sizes = study.information.diagonal().cwiseSqrt();
    const double possible = std::pow(sizes.dot(d.cwiseAbs()), 2);
    BOOST_TEST(d.dot(study.information * d) <= 1e-9 * possible, direction.text);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(identifiability_names_what_a_joint_at_rest_hides_until_it_moves) {
  const test::Identification still = two_joints(false), moving = two_joints(true);
  const Study before(*still.problem, solve(*still.problem, {}));
  const Study after(*moving.problem, solve(*moving.problem, {}));
  check_duality(before);
  check_duality(after);
  BOOST_TEST(before.result.structural_rank == after.result.structural_rank);
  BOOST_TEST(before.result.log_rank < after.result.log_rank);
  const std::string name = "friction.elbow.viscous";
  const UndeterminedDirection* undetermined = find_undetermined_here(before.result, name);
  BOOST_REQUIRE(undetermined != nullptr);
  BOOST_TEST(undetermined->motion.find("move elbow") == 0U, undetermined->motion);
  BOOST_TEST(undetermined->motion.find("effort of elbow") != std::string::npos,
             undetermined->motion);
  BOOST_TEST(find_undetermined_here(after.result, name) == nullptr);
  BOOST_TEST(std::ranges::any_of(after.result.base_parameters, [&](const BaseParameter& one) {
    return one.terms[0].name == name;
  }));
}

BOOST_AUTO_TEST_CASE(identifiability_counts_as_the_posterior_does) {
  const test::Identification arm = two_joints(true);
  const Solution solution = solve(*arm.problem, {});
  const Study study(*arm.problem, solution);
  const Posterior posterior = make_posterior(arm.dynamics->parameters(), solution);
  BOOST_TEST(study.result.log_rank == posterior.rank);
  BOOST_TEST(study.result.numerical_rank >= study.result.log_rank);
  // Error bars against those of the whole covariance and of the data alone.
  for (const BaseParameter& one : study.result.base_parameters) {
    const VectorXd c = vector_of(one.terms, study.r);
    const RowVectorXd gradient = c.transpose() * study.r.dr_dtheta;
    BOOST_TEST(std::abs(one.value - c.dot(study.r.value)) < 0.05 * one.std + 1e-9, one.text);
    const double std = std::sqrt(gradient.dot(gradient * solution.theta_cov));
    BOOST_TEST(std::abs(one.std - std) < 0.05 * std, one.text);
    BOOST_TEST(one.std <= one.data_std * (1 + 1e-6), one.text);
  }
}

BOOST_AUTO_TEST_CASE(identifiability_of_data_alone_is_that_of_the_information) {
  // With all base parameters determined, they have the inverse information as covariance.
  const test::Identification arm = two_joints(true);
  const Study study(*arm.problem, solve(*arm.problem, {}));
  BOOST_REQUIRE(study.result.log_rank == study.result.structural_rank);
  std::vector<Index> first;
  for (const BaseParameter& one : study.result.base_parameters)
    first.push_back(std::ranges::find(study.r.names, one.terms[0].name) - study.r.names.begin());
  const MatrixXd cov = MatrixXd(study.information(first, first)).inverse();
  for (size_t i = 0; i < first.size(); ++i) {
    const double expected = std::sqrt(cov(static_cast<Index>(i), static_cast<Index>(i)));
    const BaseParameter& one = study.result.base_parameters[i];
    BOOST_TEST(std::abs(one.data_std - expected) < 1e-4 * expected, one.text);
  }
}

BOOST_AUTO_TEST_CASE(identifiability_holds_with_fixed_parameters_and_equal_moments) {
  // The hand's first moment along x is fixed, and its inertia is a ball's.
  const test::SimulatedProblem& scene = test::simulated_problem();
  const Study study(*scene.problem, scene.solution);
  check_duality(study);
  BOOST_TEST(std::ranges::count(study.r.names, "first_moment.hand.x") == 0);
  BOOST_TEST(static_cast<int>(study.r.names.size()) == scene.dynamics->parameters().ntheta());
  // The shoulder turns about y: no motion determines the arm's centre of mass along it.
  BOOST_TEST(std::ranges::any_of(study.result.undetermined, [](const UndeterminedDirection& one) {
    return one.is_structural && one.terms[0].name == "first_moment.arm.y" && one.terms.size() == 1;
  }));
}

BOOST_AUTO_TEST_CASE(identifiability_with_all_gains_unknown_lacks_their_common_scale) {
  Config config = test::two_joint_config();
  const auto structural_rank = [&] {
    const test::Identification arm =
        test::make_identification(config, test::two_joint_options(), 5);
    return make_identifiability(*arm.problem, solve(*arm.problem, {.max_iterations = 0}))
        .structural_rank;
  };
  const int known = structural_rank();
  config.parameters.effort_gain.emplace();
  BOOST_TEST(structural_rank() == known + 1);  // two more unknowns
}

BOOST_AUTO_TEST_CASE(identifiability_without_information_is_empty) {
  const test::SimulatedProblem& scene = test::simulated_problem();
  Solution nothing;
  nothing.point.theta = scene.dynamics->parameters().prior();
  const Identifiability result = make_identifiability(*scene.problem, nothing);
  BOOST_TEST(result.structural_rank == 0);
  BOOST_TEST(result.base_parameters.empty());
  BOOST_TEST(result.undetermined.empty());
}

BOOST_AUTO_TEST_CASE(identifiability_correlations_are_those_of_the_covariance) {
  const test::Identification arm = two_joints(false);
  const Solution solution = solve(*arm.problem, {});
  const Identifiability result = make_identifiability(*arm.problem, solution);
  const std::vector<std::string> names = arm.dynamics->parameters().names();
  const VectorXd std = solution.theta_cov.diagonal().cwiseSqrt();
  const MatrixXd correlation =
      std.cwiseInverse().asDiagonal() * solution.theta_cov * std.cwiseInverse().asDiagonal();
  BOOST_TEST(!result.correlations.empty());
  BOOST_TEST(result.correlations.size() <= 10U);
  const auto index = [&](const std::string& name) {
    return std::ranges::find(names, name) - names.begin();
  };
  double last = 1;
  for (const Correlation& one : result.correlations) {
    BOOST_TEST(std::abs(one.value - correlation(index(one.a), index(one.b))) < 1e-12);
    BOOST_TEST(std::abs(one.value) > 0.9);
    BOOST_TEST(std::abs(one.value) <= last);
    last = std::abs(one.value);
    if (one.of_data) BOOST_TEST(std::abs(*one.of_data) <= 1 + 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(identifiability_of_a_standing_quadruped_includes_its_whole_mass) {
  const test::Scene scene = test::make_scene("anymal", test::standing_anymal());
  const RobotProblem problem = test::standing_problem(scene, 200, false, 1);
  const Study study(problem, solve(problem, {.max_iterations = 0}));
  check_duality(study);
  // 94 inertial ones, and six of friction for each of twelve joints.
  BOOST_TEST(study.result.structural_rank == 94 + 72);
  BOOST_TEST(study.result.log_rank < study.result.structural_rank);
  const auto whole = std::ranges::find_if(
      study.result.base_parameters,
      [](const BaseParameter& one) { return one.terms[0].name == "mass.base"; });
  BOOST_REQUIRE(whole != study.result.base_parameters.end());
  std::map<std::string, double> terms;
  for (const ParameterTerm& term : whole->terms) terms[term.name] = term.coefficient;
  // Almost: this log does not separate it from everything else.
  for (const std::string& name : study.r.names) {
    if (name.starts_with("mass.")) BOOST_TEST(std::abs(terms[name] - 1) < 0.01, name);
  }
  BOOST_TEST(whole->data_std < 0.05 * whole->value);
}

}  // namespace bayesid
