// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <random>

#include "blocks/make_blocks.hpp"
#include "scene.hpp"
#include "support/numeric_jacobian.hpp"

using namespace bayesid;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

VectorXd random_vector(Index size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(size, [&] { return normal(random); });
}

/// A block of every kind, of every variant that has a map of its own.
std::vector<blocks::MadeBlocks> scenes() {
  Config all = test::everything();
  all.parameters.friction->presliding = true;
  all.parameters.imu_bias.emplace();
  ImuConfig& imu = all.measurements.imus["trunk"];
  imu.acceleration = 0.1;
  imu.rate = 0.01;
  all.parameters.wrench_offset.emplace();
  all.measurements.wrenches["foot"].force = 1;
  all.parameters.delay["effort"] = {.prior = 0.001, .std = 0.01};
  Config few = test::everything();
  few.parameters.inertia->links = test::only({"tool", "link2"});  // two links of one body
  few.parameters.friction->stiction = false;
  few.parameters.effort_gain.reset();
  few.parameters.effort_offset->joints = test::only({"joint2"});
  Config passive = test::everything();
  passive.model.actuated = test::only({"joint2"});
  passive.parameters.gear_ratio.reset();
  Config triangular = few;
  triangular.parameters.inertia->parametrisation = "log_cholesky";
  std::vector<blocks::MadeBlocks> out;
  out.push_back(blocks::make_blocks(test::double_pendulum(), all));
  out.push_back(blocks::make_blocks(test::pendulum_with_tool(), few));
  out.push_back(blocks::make_blocks(test::pendulum_with_tool(), passive));
  out.push_back(blocks::make_blocks(test::pendulum_with_tool(), triangular));
  return out;
}

/// Every block of every scene, at a point where no derivative vanishes.
template <class Check>
void for_each_block(const Check& check) {
  for (const blocks::MadeBlocks& made : scenes()) {
    for (const auto& block : made.blocks) {
      VectorXd x = 0.5 * random_vector(block->size(), 3);
      for (int i = 0; i < block->size(); ++i) x[i] += block->parameters()[i].prior;
      BOOST_TEST_CONTEXT(block->parameters()[0].name) check(*block, x, made.draft);
    }
  }
}

VectorXd physical(const ParameterBlock& block, const blocks::Draft& draft, const VectorXd& x) {
  VectorXd eta = draft.nominal;
  block.write_physical(x, eta);
  return eta;
}

MatrixXd jacobian(const ParameterBlock& block, const blocks::Draft& draft, const VectorXd& x) {
  MatrixXd out = MatrixXd::Zero(draft.layout.size(), block.size());
  block.write_jacobian(x, out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(jacobian_of_every_block_agrees_with_central_differences) {
  int count = 0;
  for_each_block([&](const ParameterBlock& block, const VectorXd& x, const blocks::Draft& draft) {
    const auto eta = [&](const VectorXd& at) { return physical(block, draft, at); };
    const DerivativeCheck check =
        check_derivatives(jacobian(block, draft, x), numeric_jacobian(eta, x));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
    ++count;
  });
  BOOST_TEST(count > 25);
}

BOOST_AUTO_TEST_CASE(curvature_of_every_block_agrees_with_central_differences) {
  for_each_block([](const ParameterBlock& block, const VectorXd& x, const blocks::Draft& draft) {
    const VectorXd s = random_vector(draft.layout.size(), 7);
    const auto gradient = [&](const VectorXd& at) -> VectorXd {
      return jacobian(block, draft, at).transpose() * s;
    };
    MatrixXd curvature = MatrixXd::Zero(block.size(), block.size());
    block.write_curvature(x, s, curvature);
    const DerivativeCheck check = check_derivatives(curvature, numeric_jacobian(gradient, x));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  });
}

BOOST_AUTO_TEST_CASE(gradients_of_values_and_features_agree_with_central_differences) {
  for_each_block([](const ParameterBlock& block, const VectorXd& x, const blocks::Draft&) {
    const auto numbers = [&](const VectorXd& at) -> VectorXd {
      const std::vector<PhysicalValue> values = block.values(at);
      const VectorXd features = block.features(at).value;
      VectorXd out(std::ssize(values) + features.size());
      for (std::size_t i = 0; i < values.size(); ++i) out[static_cast<Index>(i)] = values[i].value;
      out.tail(features.size()) = features;
      return out;
    };
    const std::vector<PhysicalValue> values = block.values(x);
    const MatrixXd features = block.features(x).jacobian;
    MatrixXd analytic(std::ssize(values) + features.rows(), block.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      analytic.row(static_cast<Index>(i)) = values[i].dvalue_dtheta;
    analytic.bottomRows(features.rows()) = features;
    const DerivativeCheck check = check_derivatives(analytic, numeric_jacobian(numbers, x));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
    // Entries outside of the pattern have no derivative.
    const auto pattern = block.feature_pattern();
    for (Index i = 0; i < features.rows(); ++i) {
      for (Index j = 0; j < features.cols(); ++j)
        BOOST_TEST((pattern(i, j) || features(i, j) == 0), i << " " << j);
    }
  });
}

BOOST_AUTO_TEST_CASE(curvature_of_features_agrees_with_central_differences) {
  for_each_block([](const ParameterBlock& block, const VectorXd& x, const blocks::Draft&) {
    const VectorXd s = random_vector(block.features(x).value.size(), 5);
    const auto gradient = [&](const VectorXd& at) -> VectorXd {
      return block.features(at).jacobian.transpose() * s;
    };
    const DerivativeCheck check =
        check_derivatives(block.features_curvature(x, s), numeric_jacobian(gradient, x));
    BOOST_TEST(check.max_error < 1e-6, check.worst_entry);
  });
}

BOOST_AUTO_TEST_CASE(entries_marked_active_are_those_that_move) {
  for_each_block([](const ParameterBlock& block, const VectorXd& x, const blocks::Draft& draft) {
    const MatrixXd moves = jacobian(block, draft, x);
    for (int only = 0; only < block.size(); ++only) {
      std::vector<bool> is_free(block.size(), false), active(draft.layout.size(), false);
      is_free[only] = true;
      block.mark_active(is_free, active);
      for (Index i = 0; i < moves.rows(); ++i)
        BOOST_TEST((active[i] || moves(i, only) == 0), i << " of " << only);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_segment_of_its_own_stands_before_the_sensors) {
  blocks::MadeBlocks made = blocks::make_blocks(test::double_pendulum(), test::everything());
  PhysicalLayout& layout = made.draft.layout;
  const int first = layout.add_segment("stiffness", 2), second = layout.add_segment("play", 1);
  const int bias = layout.add_sensor("imu_bias.trunk.ax");
  BOOST_TEST(first == layout.presliding(0));
  BOOST_TEST(second == first + 2);
  BOOST_TEST(bias == second + 1);
  BOOST_TEST(layout.size() == bias + 1);
  const VectorXd eta = random_vector(layout.size(), 1);
  const PhysicalParameters physical = unstack(layout, eta);
  BOOST_TEST(physical.named[layout.segments[1].first] == eta[second]);
  BOOST_TEST(physical.sensor[layout.sensor_index("imu_bias.trunk.ax")] == eta[bias]);
  BOOST_TEST(stack(physical) == eta);
}
