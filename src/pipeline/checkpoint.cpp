// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/checkpoint.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "bayesid/error.hpp"
#include "noise/standard_deviations.hpp"
#include "pipeline/fingerprint.hpp"

namespace bayesid::pipeline {

using Eigen::MatrixXd;

namespace {

constexpr std::string_view magic = "bayesid\n";
constexpr std::uint64_t version = 5;

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
    if (!holds) throw InputError(file_ + ": is damaged, start again without it");
  }
  void expect_text(std::string_view text) {
    expect(bytes_.compare(at_, text.size(), text) == 0);
    at_ += text.size();
  }
  std::string text(std::size_t size) {
    expect(bytes_.size() - at_ >= size);
    at_ += size;
    return bytes_.substr(at_ - size, size);
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

std::string checkpoint_bytes(const Config& config, const RobotProblem& problem,
                             const Point& point) {
  std::string out(magic);
  put(out, version);
  out += fingerprint(config, problem);
  put(out, std::uint64_t{problem.noise().automatic.empty() || problem.noise().is_found});
  put(out, standard_deviations(problem));
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

TunedProblem read_checkpoint(const std::string& file, const Config& config,
                             const RobotProblem& problem) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file + ": no such file; only interrupted runs write one");
  Reader reader(std::string(std::istreambuf_iterator<char>(stream), {}), file);
  reader.expect_text(magic);
  if (reader.whole() != version) {
    throw InputError(file + ": was written by another version, start again without it");
  }
  const std::string own = fingerprint(config, problem);
  if (reader.text(own.size()) != own) {
    throw InputError(file +
                     ": was written for other logs or another configuration, start again without "
                     "it");
  }
  const bool is_found = reader.whole() != 0;
  const Eigen::VectorXd std = reader.matrix(standard_deviations(problem));
  reader.expect((std.array() > 0).all());
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
  TunedProblem tuned{.problem = with_standard_deviations(problem, std, is_found), .start = {}};
  if (is_found) tuned.start = std::move(out);
  return tuned;
}

}  // namespace bayesid::pipeline
