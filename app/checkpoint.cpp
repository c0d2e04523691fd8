// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

#include "bayesid/error.hpp"

namespace bayesid::app {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr std::string_view magic = "bayesid\n";
constexpr std::uint64_t version = 2;

/// FNV-1a over everything that decides which problem it is: names, priors, noise, data.
class Fingerprint {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 1099511628211ULL;
  }
  void add(const std::string& text) { add(text.c_str(), text.size() + 1); }
  template <typename Matrix>
  void add_matrix(const Matrix& matrix) {
    const std::uint64_t rows = matrix.rows();
    add(&rows, sizeof(rows));
    add(matrix.data(), sizeof(double) * static_cast<std::size_t>(matrix.size()));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

std::uint64_t fingerprint(const RobotProblem& problem) {
  Fingerprint out;
  const ParameterSet& parameters = problem.dynamics().parameters();
  for (const Parameter& parameter : parameters.all()) out.add(parameter.name);
  out.add_matrix(parameters.all_values(parameters.prior()));
  out.add_matrix(parameters.prior_std());
  const Noise& noise = problem.noise();
  for (const VectorXd* std :
       {&noise.position, &noise.velocity, &noise.effort, &noise.thrust, &noise.disturbance_position,
        &noise.disturbance_velocity, &noise.initial_position, &noise.initial_velocity}) {
    out.add_matrix(*std);
  }
  if (noise.energy) {
    out.add(&*noise.energy, sizeof(double));
    out.add(&noise.energy_window, sizeof(int));
  }
  for (const Recording& recording : problem.recordings()) {
    out.add_matrix(recording.time);
    out.add_matrix(recording.position);
    out.add_matrix(recording.velocity);
    out.add_matrix(recording.effort);
    out.add_matrix(recording.thrust);
  }
  return out.value();
}

void put(std::string& out, std::uint64_t value) {
  char bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  out.append(bytes, sizeof(value));
}

void put(std::string& out, const MatrixXd& matrix) {
  put(out, static_cast<std::uint64_t>(matrix.rows()));
  put(out, static_cast<std::uint64_t>(matrix.cols()));
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    put(out, std::bit_cast<std::uint64_t>(matrix.data()[i]));
  }
}

/// Reads what `put` wrote, and never past the end.
class Reader {
 public:
  Reader(std::string bytes, std::string file) : bytes_(std::move(bytes)), file_(std::move(file)) {}

  void expect(bool holds) const {
    if (!holds) throw InputError(file_ + ": is damaged, start again without --resume");
  }
  void expect_text(std::string_view text) {
    expect(bytes_.compare(at_, text.size(), text) == 0);
    at_ += text.size();
  }
  std::uint64_t whole() {
    std::uint64_t value = 0;
    expect(bytes_.size() - at_ >= sizeof(value));
    std::memcpy(&value, bytes_.data() + at_, sizeof(value));
    at_ += sizeof(value);
    return value;
  }
  /// A matrix of the size of `like`.
  MatrixXd matrix(const MatrixXd& like) {
    expect(whole() == static_cast<std::uint64_t>(like.rows()));
    expect(whole() == static_cast<std::uint64_t>(like.cols()));
    MatrixXd out(like.rows(), like.cols());
    for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] = std::bit_cast<double>(whole());
    expect(out.allFinite());
    return out;
  }
  void expect_end() const { expect(at_ == bytes_.size()); }

 private:
  std::string bytes_, file_;
  std::size_t at_ = 0;
};

}  // namespace

std::string checkpoint_bytes(const RobotProblem& problem, const Point& point) {
  std::string out(magic);
  put(out, version);
  put(out, fingerprint(problem));
  put(out, point.theta);
  for (const Path& path : point.paths) {
    put(out, path.x);
    put(out, path.u);
    put(out, path.gamma);
    put(out, path.kappa);
    put(out, Eigen::VectorXd::Constant(1, path.penalty));
  }
  return out;
}

Point read_checkpoint(const std::string& file, const RobotProblem& problem) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(file + ": no such file; --resume goes on from an interrupted run");
  }
  Reader reader(std::string(std::istreambuf_iterator<char>(stream), {}), file);
  reader.expect_text(magic);
  if (reader.whole() != version) {
    throw InputError(file + ": was written by another version, start again without --resume");
  }
  if (reader.whole() != fingerprint(problem)) {
    throw InputError(file +
                     ": was written for other logs or another configuration, start again "
                     "without --resume");
  }
  Point out = problem.start();
  out.theta = reader.matrix(out.theta);
  for (Path& path : out.paths) {
    path.x = reader.matrix(path.x);
    path.u = reader.matrix(path.u);
    path.gamma = reader.matrix(path.gamma);
    path.kappa = reader.matrix(path.kappa);
    path.penalty = reader.matrix(Eigen::VectorXd(1))(0);
  }
  reader.expect_end();
  return out;
}

}  // namespace bayesid::app
