// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/excitation_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/blas.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Beyond limits by more than this share of them the search has no business: near singular postures
// forces grow without end, and the way back is hard to find.
constexpr double farthest = 1.0;

}  // namespace

ExcitationProgram::ExcitationProgram(Parts parts, int num_points, ThreadPool& pool)
    : parts_(std::move(parts)), num_points_(num_points), pool_(pool) {
  for (int i = 0; i < pool.num_threads(); ++i) workspaces_.push_back(parts_.model.make_workspace());
  // At both ends the motion is the start, whatever x is.
  for (int k = 1; k < num_points; ++k) add_time(parts_.basis.period() * k / num_points);
}

void ExcitationProgram::add_time(double time) {
  times_.push_back(time);
  add_rows();
}

void ExcitationProgram::add_limit(const MotionLimit& limit) {
  parts_.limits.push_back(limit);
  rows_.clear();
  for (std::size_t k = 0; k < times_.size(); ++k) add_rows();
}

void ExcitationProgram::add_rows() {
  const int size = parts_.basis.size();
  for (const MotionLimit& limit : parts_.limits) {
    Row row{limit.lower / limit.scale, limit.upper / limit.scale, 0, num_variables()};
    const bool is_own =
        limit.kind == MotionLimit::Kind::position || limit.kind == MotionLimit::Kind::velocity;
    if (is_own && parts_.model.motion().is_free()) {
      row.first = limit.index * size;
      row.count = size;
    }
    rows_.push_back(row);
  }
  has_cost_ = has_gradient_ = has_slopes_ = false;
}

void ExcitationProgram::coordinates(const VectorXd& x, double time, VectorXd& y, VectorXd& dy,
                                    VectorXd& ddy) const {
  const int size = parts_.basis.size();
  const Eigen::Map<const MatrixXd> coefficients(x.data(), size, parts_.model.motion().size());
  const MatrixXd all = parts_.basis.at(time) * coefficients;
  y = all.row(0);
  dy = all.row(1);
  ddy = all.row(2);
}

/// What closes loops and contacts, followed along time from the start: a straight way from the
/// start to each time could lead to another branch.
bool ExcitationProgram::close(const VectorXd& x, const std::vector<double>& times,
                              std::vector<ClosedAt>& out) {
  const ConstrainedMotion& motion = parts_.model.motion();
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return times[i]; });
  out.resize(times.size());
  ClosedAt last{VectorXd::Zero(motion.size()), VectorXd::Zero(motion.num_dependent())};
  VectorXd y, dy, ddy;
  for (const std::size_t i : order) {
    coordinates(x, times[i], y, dy, ddy);
    if (!motion.go_on(last.y, y, workspaces_[0].kinematics, last.z)) return false;
    last.y = y;
    out[i] = last;
  }
  return true;
}

bool ExcitationProgram::instants(const VectorXd& x, const std::vector<double>& times,
                                 std::vector<MotionInstant>& out) {
  std::vector<ClosedAt> closed;
  out.resize(times.size());
  if (!close(x, times, closed)) return false;
  pool_.run(static_cast<int>(times.size()), [&](int k, int thread) {
    const auto i = static_cast<std::size_t>(k);
    VectorXd y, dy, ddy;
    coordinates(x, times[i], y, dy, ddy);
    parts_.model.evaluate(closed[i], dy, ddy, workspaces_[static_cast<std::size_t>(thread)],
                          out[i]);
  });
  return std::ranges::all_of(out, [](const MotionInstant& one) { return one.exists; });
}

bool ExcitationProgram::move_to(const VectorXd& x) {
  has_cost_ = has_gradient_ = has_slopes_ = false;
  if (!x.allFinite() || !instants(x, times_, instants_)) return false;
  row_values_.resize(static_cast<Eigen::Index>(rows_.size()));
  Eigen::Index place = 0;
  for (const MotionInstant& at : instants_) {
    for (const MotionLimit& limit : parts_.limits)
      row_values_[place++] = limit_value(limit, at) / limit.scale;
  }
  return row_values_.allFinite() && margin() > -farthest;
}

double ExcitationProgram::margin() const {
  double out = INFINITY;
  for (Eigen::Index i = 0; i < row_values_.size(); ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    out = std::min({out, row_values_[i] - row.lower, row.upper - row_values_[i]});
  }
  return out;
}

/// Sum over the grid in a fixed order, as if a log had been sampled there.
InformationCost ExcitationProgram::cost() const {
  const int columns = parts_.model.num_columns();
  const int height = static_cast<int>(instants_[0].regressor.rows()), count = num_points_ - 1;
  MatrixXd all(height * count, columns);
  for (int k = 0; k < count; ++k)
    all.middleRows(k * height, height) = instants_[static_cast<std::size_t>(k)].regressor;
  MatrixXd data = MatrixXd::Zero(columns, columns);
  blas::add_gram(parts_.samples / num_points_, all, data);
  data.triangularView<Eigen::StrictlyUpper>() = data.transpose();
  return parts_.criterion == Criterion::information ? gained_information(parts_.prior, data)
                                                    : inflated_variance(data);
}

double ExcitationProgram::value() {
  if (has_cost_) return value_;
  const InformationCost of_information = cost();
  value_ = of_information.value;
  slope_ = of_information.slope * (parts_.samples / num_points_);
  for (int k = 0; k < num_points_ - 1; ++k) {
    value_ -= parts_.velocity_reward / num_points_ *
              instants_[static_cast<std::size_t>(k)].motion.v.squaredNorm();
  }
  has_cost_ = true;
  return value_;
}

void ExcitationProgram::propagate(const CoordinateSlopes& slopes, double time, double* out,
                                  int first, int count) const {
  const int size = parts_.basis.size();
  const Eigen::Matrix<double, 3, Eigen::Dynamic> basis = parts_.basis.at(time);
  for (int i = first / size; i * size < first + count; ++i) {
    Eigen::Map<VectorXd>(out + i * size - first, size) +=
        (slopes.y[i] * basis.row(0) + slopes.dy[i] * basis.row(1) + slopes.ddy[i] * basis.row(2))
            .transpose();
  }
}

const VectorXd& ExcitationProgram::gradient() {
  value();
  if (has_gradient_) return gradient_;
  const int count = num_points_ - 1;
  std::vector<CoordinateSlopes> each(static_cast<std::size_t>(count));
  pool_.run(count, [&](int k, int thread) {
    const auto i = static_cast<std::size_t>(k);
    const MotionInstant& at = instants_[i];
    each[i] = parts_.model.slopes(at, slope_, workspaces_[static_cast<std::size_t>(thread)]);
    if (parts_.velocity_reward == 0) return;
    const VectorXd none = VectorXd::Zero(at.motion.v.size());
    const CoordinateSlopes reward = in_coordinates(
        at.motion, none, -2 * parts_.velocity_reward / num_points_ * at.motion.v, none);
    each[i].y += reward.y;
    each[i].dy += reward.dy;
    each[i].ddy += reward.ddy;
  });
  gradient_ = VectorXd::Zero(num_variables());
  for (int k = 0; k < count; ++k) {
    propagate(each[static_cast<std::size_t>(k)], times_[static_cast<std::size_t>(k)],
              gradient_.data(), 0, num_variables());
  }
  has_gradient_ = true;
  return gradient_;
}

const std::vector<double>& ExcitationProgram::row_slopes() {
  if (has_slopes_) return row_slopes_;
  const std::size_t per_time = parts_.limits.size();
  std::size_t width = 0;
  for (std::size_t i = 0; i < per_time; ++i) width += static_cast<std::size_t>(rows_[i].count);
  row_slopes_.assign(width * times_.size(), 0.0);
  pool_.run(static_cast<int>(times_.size()), [&](int k, int /*thread*/) {
    const auto t = static_cast<std::size_t>(k);
    double* out = row_slopes_.data() + width * t;
    for (std::size_t i = 0; i < per_time; ++i) {
      const Row& row = rows_[t * per_time + i];
      CoordinateSlopes slopes = limit_slopes(parts_.limits[i], instants_[t]);
      slopes.y /= parts_.limits[i].scale;
      slopes.dy /= parts_.limits[i].scale;
      slopes.ddy /= parts_.limits[i].scale;
      propagate(slopes, times_[t], out, row.first, row.count);
      out += row.count;
    }
  });
  has_slopes_ = true;
  return row_slopes_;
}

}  // namespace bayesid
