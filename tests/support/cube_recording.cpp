// SPDX-License-Identifier: BSD-3-Clause
#include "support/cube_recording.hpp"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "bayesid/log.hpp"
#include "math/so3.hpp"

namespace bayesid::test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double turn_change = 0.7;        // rad/s from one step to the next: something touches
constexpr double fall_change = 20;         // m/s², likewise
constexpr double least_clearance = 12e-3;  // m: below, a second corner touches at almost once
constexpr int fewest_after = 7, fewest_before = 10;  // samples of flights that are used
constexpr double worst_tracking = 3;                 // times the usual noise of orientation
constexpr int longest_touch = 2;                     // steps; more is a second contact

Matrix3d rotation(const Eigen::Ref<const VectorXd>& pose) {
  return Eigen::Quaterniond(pose[6], pose[3], pose[4], pose[5]).normalized().toRotationMatrix();
}

/// Turn from sample k to the next, in the world's axes.
Vector3d turn(const MatrixXd& pose, Eigen::Index k) {
  return so3_log(rotation(pose.col(k + 1)) * rotation(pose.col(k)).transpose());
}

/// Samples at which velocities change as in no flight, in groups; the change is within one step of
/// its sample.
std::vector<std::pair<int, int>> touches(const VectorXd& time, const MatrixXd& pose) {
  std::vector<std::pair<int, int>> out;
  for (int k = 1; k + 1 < time.size(); ++k) {
    const double dt = time[k + 1] - time[k];
    const double fall = (pose(2, k + 1) - 2 * pose(2, k) + pose(2, k - 1)) / (dt * dt);
    const bool turns = (turn(pose, k) - turn(pose, k - 1)).norm() > turn_change * dt;
    if (!turns && std::abs(fall + standard_gravity) < fall_change) continue;
    if (!out.empty() && k - out.back().second <= 2) {
      out.back().second = k;
    } else {
      out.emplace_back(k, k);
    }
  }
  return out;
}

/// Orientation at a time, from the sample before it and the turn that led there.
Matrix3d orientation_at(const CubeToss& toss, double time) {
  Eigen::Index k = 1;
  while (k + 1 < toss.time.size() && toss.time[k + 1] <= time) ++k;
  const double share = (time - toss.time[k]) / (toss.time[k] - toss.time[k - 1]);
  return so3_exp(share * turn(toss.pose, k - 1)) * rotation(toss.pose.col(k));
}

/// Sum of squares of what polynomials in time leave of the rows of `values`, and how many numbers
/// they leave free.
std::pair<double, double> left_over(const VectorXd& time, const MatrixXd& values, int degree) {
  const VectorXd t = (time.array() - time.mean()) / (time[time.size() - 1] - time[0]);
  MatrixXd powers(t.size(), degree + 1);
  for (int i = 0; i <= degree; ++i) powers.col(i) = t.array().pow(i);
  const MatrixXd fitted = powers.colPivHouseholderQr().solve(values.transpose());
  return {(values.transpose() - powers * fitted).squaredNorm(),
          static_cast<double>(values.rows() * (t.size() - degree - 1))};
}

/// Turns since the middle of the first flight; steady in time, since a cube's moments are alike.
MatrixXd turns(const CubeToss& toss) {
  MatrixXd out(3, toss.num_before);
  const Matrix3d middle = rotation(toss.pose.col(toss.num_before / 2));
  for (int k = 0; k < toss.num_before; ++k)
    out.col(k) = so3_log(rotation(toss.pose.col(k)) * middle.transpose());
  return out;
}

/// Height and speed at time 0 of a fall through samples [first, end).
Eigen::Vector2d fall_through(const CubeToss& toss, int first, int end) {
  const VectorXd t = toss.time.segment(first, end - first);
  MatrixXd powers(t.size(), 2);
  powers << VectorXd::Ones(t.size()), t;
  const VectorXd z = toss.pose.row(2).segment(first, end - first).transpose();
  return powers.colPivHouseholderQr().solve(z + 0.5 * standard_gravity * t.cwiseAbs2());
}

/// Which corner is lowest at the impact, and how far the next one is above it.
void find_corner(CubeToss& toss) {
  const Matrix3d R = orientation_at(toss, toss.impact);
  double lowest = std::numeric_limits<double>::infinity(), next = lowest;
  for (int i = 0; i < 8; ++i) {
    const Vector3d corner(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    const double height = cube_half_width * (R * corner).z();
    if (height < lowest) {
      next = lowest;
      lowest = height;
      toss.corner = corner;
    } else {
      next = std::min(next, height);
    }
  }
  toss.clearance = next - lowest;
}

Log read_toss(const std::string& file, double scale) {
  LogConfig config;
  config.file = file;
  for (const std::string axis : {"px", "py", "pz"}) {
    const std::string channel = "pose.cube." + axis;
    config.columns[channel] = {.source = channel, .scale = scale};
  }
  return read_log(config);
}

CubeToss make_toss(const Log& log, const std::string& name) {
  CubeToss out;
  out.name = name;
  const auto size = static_cast<Eigen::Index>(log.time.size());
  out.time = Eigen::Map<const VectorXd>(log.time.data(), size);
  out.pose.resize(7, size);
  int row = 0;
  for (const std::string axis : {"px", "py", "pz", "qx", "qy", "qz", "qw"})
    out.pose.row(row++) =
        Eigen::Map<const VectorXd>(log.channels.at("pose.cube." + axis).data(), size).transpose();
  const std::vector<std::pair<int, int>> found = touches(out.time, out.pose);
  if (found.size() < 2) return out;
  const auto [first, last] = found[0];
  const int end = found[1].first;
  out.num_before = first;
  out.num_after = end - last - 1;
  out.num_touching = last - first;
  if (first < 2 || out.num_after < 2) return out;
  // Where the two falls meet.
  const Eigen::Vector2d before = fall_through(out, std::max(0, first - 12), first);
  const Eigen::Vector2d after = fall_through(out, last + 1, std::min(end, last + 13));
  out.impact = (before[0] - after[0]) / (after[1] - before[1]);
  if (!(out.impact > out.time[first - 1] && out.impact < out.time[last + 1])) return out;
  out.time.conservativeResize(end);
  out.pose.conservativeResize(7, end);
  find_corner(out);
  return out;
}

}  // namespace

std::vector<CubeToss> read_cube_tosses(const std::string& folder, double scale) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<CubeToss> out;
  for (const std::filesystem::path& file : files) {
    const CubeToss toss = make_toss(read_toss(file.string(), scale), file.stem().string());
    if (toss.num_before >= fewest_before && toss.num_after >= fewest_after &&
        toss.num_touching <= longest_touch && toss.clearance > least_clearance)
      out.push_back(toss);
  }
  // Tosses whose tracking jumps in flight.
  const double usual = camera_noise(out).second;
  std::erase_if(out, [&](const CubeToss& one) {
    return camera_noise({one}).second > worst_tracking * usual;
  });
  return out;
}

std::pair<double, double> camera_noise(const std::vector<CubeToss>& tosses) {
  std::vector<double> position, orientation;
  for (const CubeToss& toss : tosses) {
    const VectorXd time = toss.time.head(toss.num_before);
    MatrixXd weightless = toss.pose.topLeftCorner(3, toss.num_before);
    weightless.row(2) += 0.5 * standard_gravity * time.cwiseAbs2().transpose();
    const auto [p, np] = left_over(time, weightless, 1);
    const auto [r, nr] = left_over(time, turns(toss), 1);
    position.push_back(std::sqrt(p / np));
    orientation.push_back(std::sqrt(r / nr));
  }
  const auto median = [](std::vector<double>& values) {
    std::ranges::nth_element(values,
                             values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
  };
  return {median(position), median(orientation)};
}

/// Where a corner with a rounding touches a plate, in the cube's frame: below the ball's centre.
Vector3d touching_point(const CubeToss& toss, double rounding) {
  const Matrix3d R = orientation_at(toss, toss.impact);
  return (cube_half_width - rounding) * toss.corner - rounding * R.transpose() * Vector3d::UnitZ();
}

std::pair<double, double> fall(const std::vector<CubeToss>& tosses) {
  double sum = 0, squares = 0;
  const auto n = static_cast<double>(tosses.size());
  for (const CubeToss& toss : tosses) {
    const VectorXd t = toss.time.head(toss.num_before).array() - toss.time[0];
    MatrixXd powers(t.size(), 3);
    powers << VectorXd::Ones(t.size()), t, t.cwiseAbs2();
    const VectorXd z = toss.pose.row(2).head(toss.num_before).transpose();
    const VectorXd fitted = powers.colPivHouseholderQr().solve(z);
    sum -= 2 * fitted[2];
    squares += 4 * fitted[2] * fitted[2];
  }
  const double mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / (n - 1))};
}

}  // namespace bayesid::test
